-- Configuration of the server for Neovim 0.11 or newer: vim.lsp.enable('counterclaim')
-- vim.lsp.config('counterclaim', { settings = { counterclaim = { … } } }) changes it.

local language_ids = { tex = 'latex', plaintex = 'tex', bib = 'bibtex' }

return {
  cmd = { 'counterclaim', 'lsp' },
  filetypes = { 'tex', 'plaintex', 'bib' },
  -- Without a marker the server gets no root and looks at the file's own folder.
  root_markers = { { 'counterclaim.toml', '.latexmkrc', 'latexmkrc', '.texlabroot' }, '.git' },
  get_language_id = function(_, filetype)
    return language_ids[filetype] or filetype
  end,
  settings = { counterclaim = vim.empty_dict() },
  on_attach = function(client, bufnr)
    local found, plugin = pcall(require, 'counterclaim')
    if found then
      plugin._attach(client, bufnr)
    end
  end,
}
