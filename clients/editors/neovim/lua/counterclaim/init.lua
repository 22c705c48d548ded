local M = {}

--- Commands of a buffer to which the server is attached: name, server command, description.
local commands = {
  { 'CounterclaimCheck', 'counterclaim.check', 'Check the whole project again, reading changed files from disk' },
  { 'CounterclaimFixAll', 'counterclaim.fixAll', 'Apply every safe fix of this file' },
  { 'CounterclaimStatus', 'counterclaim.status', 'Show the root, the files and the settings the server works with' },
  { 'CounterclaimGraph', 'counterclaim.showGraph', 'Show the claims and evidence of the manuscript as a page' },
  { 'CounterclaimNumbers', 'counterclaim.showNumbers', 'List the numbers that no table verifies, with the reasons' },
  { 'CounterclaimCitations', 'counterclaim.citations.check', 'Look up the entries of the bibliography' },
  { 'CounterclaimReview', 'counterclaim.review.document', 'Review the manuscript with a language model, after you agreed' },
  { 'CounterclaimContradictions', 'counterclaim.review.contradictions', 'Look for passages that cannot both be true' },
  { 'CounterclaimWhatWouldBeSent', 'counterclaim.review.whatWouldBeSent', 'Show exactly what a review would send' },
  { 'CounterclaimRestore', 'counterclaim.restore', 'Show dismissed findings again' },
}

local function show(err, result)
  if err then
    vim.notify('Counterclaim: ' .. err.message, vim.log.levels.ERROR)
  elseif type(result) == 'table' and type(result.message) == 'string' then
    vim.notify(result.message, vim.log.levels.INFO)
  end
end

--- Sends a command of the server for a buffer; `handler(err, result)` gets the answer.
function M.execute(client, bufnr, command, handler)
  client:exec_cmd({
    title = command,
    command = command,
    arguments = { { uri = vim.uri_from_bufnr(bufnr) } },
  }, { bufnr = bufnr }, handler or show)
end

function M._attach(client, bufnr)
  for _, entry in ipairs(commands) do
    local name, command, description = unpack(entry)
    vim.api.nvim_buf_create_user_command(bufnr, name, function()
      M.execute(client, bufnr, command)
    end, { desc = description, force = true })
  end
  vim.api.nvim_buf_create_user_command(bufnr, 'CounterclaimTodo', function()
    vim.diagnostic.setqflist({
      title = 'Counterclaim',
      namespace = vim.lsp.diagnostic.get_namespace(client.id, false),
    })
  end, { desc = 'List all findings in the quickfix window', force = true })
end

--- Configures and enables the server.
--- opts.cmd: list, the command that starts it; opts.settings: table, see |counterclaim-settings|;
--- opts.init_options: table; opts.enable: false to configure only.
function M.setup(opts)
  opts = opts or {}
  if vim.fn.has('nvim-0.11') == 0 then
    vim.notify('Counterclaim: Neovim 0.11 or newer is needed; see :help counterclaim-older', vim.log.levels.ERROR)
    return
  end
  vim.lsp.config('counterclaim', {
    cmd = opts.cmd,
    init_options = opts.init_options,
    settings = opts.settings and { counterclaim = opts.settings } or nil,
  })
  if opts.enable ~= false then
    vim.lsp.enable('counterclaim')
  end
end

return M
