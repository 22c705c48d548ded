local M = {}

local function check_command(command)
  if vim.fn.executable(command[1]) == 0 then
    vim.health.error(('`%s` is not executable'):format(command[1]), {
      'Install it with `pipx install counterclaim`.',
      "Or name it: require('counterclaim').setup({ cmd = { '/path/to/counterclaim', 'lsp' } })",
    })
    return
  end
  local started, process = pcall(vim.system, { command[1], '--version' }, { text = true, timeout = 5000 })
  local result = started and process:wait() or { code = 1, stderr = tostring(process) }
  if result.code == 0 then
    vim.health.ok(('`%s` is version %s'):format(command[1], vim.trim(result.stdout or '')))
  else
    vim.health.error(('`%s --version` failed'):format(command[1]), { vim.trim(result.stderr or '') })
  end
end

function M.check()
  vim.health.start('counterclaim')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('Neovim 0.11 or newer is needed', { 'See :help counterclaim-older' })
    return
  end
  vim.health.ok('Neovim is new enough')
  local config = vim.lsp.config.counterclaim
  if not config then
    vim.health.error('the server has no configuration', { 'Put clients/editors/neovim on the runtime path.' })
    return
  end
  if type(config.cmd) == 'table' then
    check_command(config.cmd)
  end
  local clients = vim.lsp.get_clients({ name = 'counterclaim' })
  if #clients == 0 then
    vim.health.info('no buffer is attached yet')
  end
  for _, client in ipairs(clients) do
    vim.health.ok(('attached; root: %s; positions: %s'):format(client.root_dir or 'none', client.offset_encoding))
  end
end

return M
