-- Drives a real Neovim: nvim --clean -n --headless -l neovim_check.lua PLUGIN COMMAND MAIN
-- COMMAND is JSON.  Prints one line per step; the exit code is 0 when every step passed.

local plugin, command, main = arg[1], vim.json.decode(arg[2]), arg[3]
vim.opt.runtimepath:prepend(plugin)
vim.g.tex_flavor = 'latex'
vim.cmd('filetype on')

local function step(name, passed, detail)
  io.stdout:write((passed and 'ok ' or 'FAILED ') .. name .. (passed and '' or ': ' .. vim.inspect(detail)) .. '\n')
  if not passed then
    os.exit(1)
  end
end

local function of_code(code)
  return vim.tbl_filter(function(d)
    return d.code == code
  end, vim.diagnostic.get(0))
end

--- What a diagnostic marks in the buffer.
local function marked(d)
  local line = vim.api.nvim_buf_get_lines(0, d.lnum, d.lnum + 1, true)[1]
  return line:sub(d.col + 1, d.end_col)
end

local function eventually(name, condition)
  local passed = vim.wait(15000, condition, 20)
  step(name, passed, vim.diagnostic.get(0))
end

require('counterclaim').setup({ cmd = command, init_options = { pause = 50 } })
local finished = {}
vim.cmd('edit ' .. vim.fn.fnameescape(main))
step('the file type is tex', vim.bo.filetype == 'tex', vim.bo.filetype)

eventually('a diagnostic arrives', function()
  return #of_code('CIT001') == 1
end)
local found = of_code('CIT001')[1]
step('it marks the key, behind characters of several bytes', marked(found) == 'tiger2020', { found, marked(found) })

local client = vim.lsp.get_clients({ name = 'counterclaim', bufnr = 0 })[1]
step('the root is the folder with the marker', client.root_dir == vim.fs.dirname(main), client.root_dir)
step('positions are bytes', client.offset_encoding == 'utf-8', client.offset_encoding)

-- typing above and before the finding, as a user does
vim.api.nvim_win_set_cursor(0, { 1, 0 })
vim.api.nvim_feedkeys(vim.keycode('Onew line é𝔸<CR>and another<Esc>'), 'tx', false)
eventually('it moves down while typing', function()
  local d = of_code('CIT001')[1]
  return d and d.lnum == found.lnum + 2 and marked(d) == 'tiger2020'
end)
vim.api.nvim_win_set_cursor(0, { found.lnum + 3, 0 })
vim.api.nvim_feedkeys(vim.keycode('i𝔸 word <Esc>'), 'tx', false)
eventually('it moves along its line while typing', function()
  local d = of_code('CIT001')[1]
  return d and d.col > found.col and marked(d) == 'tiger2020'
end)

local place = of_code('CIT001')[1]
vim.api.nvim_win_set_cursor(0, { place.lnum + 1, place.col })
local hover = client:request_sync('textDocument/hover', vim.lsp.util.make_position_params(0, client.offset_encoding), 5000, 0)
step('the hover explains the rule', hover and hover.result and hover.result.contents.value:find('What it flags'), hover)

local symbols = client:request_sync(
  'textDocument/documentSymbol',
  { textDocument = vim.lsp.util.make_text_document_params(0) },
  5000,
  0
)
step('sections are symbols', symbols and symbols.result and symbols.result[1].name == 'Start', symbols)

vim.lsp.buf.code_action({
  apply = true,
  context = { only = { 'quickfix' }, diagnostics = { place.user_data.lsp } },
  filter = function(action)
    return action.title:find('Replace by') ~= nil
  end,
})
eventually('a code action changes the buffer', function()
  local line = vim.api.nvim_buf_get_lines(0, place.lnum, place.lnum + 1, true)[1]
  return line:find('\\cite{tiger2021}', 1, true) ~= nil
end)
eventually('the finding goes', function()
  return #of_code('CIT001') == 0
end)

vim.api.nvim_feedkeys(vim.keycode('u'), 'tx', false)
eventually('undo brings it back', function()
  return #of_code('CIT001') == 1
end)

for _, name in ipairs({ 'Check', 'FixAll', 'Status', 'Restore', 'Todo' }) do
  step('the command :Counterclaim' .. name .. ' exists', vim.fn.exists(':Counterclaim' .. name) == 2, name)
end
require('counterclaim').execute(client, 0, 'counterclaim.status', function(err, result)
  finished.status = err == nil and result.message:find('Root main.tex', 1, true) ~= nil
end)
eventually('the status names the root', function()
  return finished.status
end)
vim.cmd('CounterclaimTodo')
step('findings are listed', #vim.fn.getqflist() >= 1, vim.fn.getqflist())
vim.cmd('cclose')

vim.cmd('checkhealth counterclaim')
local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
step('the health check sees the client', health:find('attached; root', 1, true) ~= nil, health)
vim.cmd('helptags ' .. vim.fn.fnameescape(plugin .. '/doc'))
vim.cmd('help counterclaim-settings')
step('the help opens', vim.fn.expand('%:t') == 'counterclaim.txt', vim.fn.expand('%'))

client:stop()
step('the server stops', vim.wait(5000, function()
  return client:is_stopped()
end, 20), 'still running')
os.exit(0)
