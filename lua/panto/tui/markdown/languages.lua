-- What the common languages look like: their comments, strings and words, for the highlighter.
local languages = {}

---@class panto.tui.Language
---@field starts table<string, table[]> what begins a comment or string, by its first letter
---@field keywords table<string, boolean>
---@field constants table<string, boolean>
---@field word string
---@field ignores_case boolean?
---@field prefix string[][]? patterns at a line's start with their styles

local function set_of(words)
  local set = {}
  for word in (words or ""):gmatch("%S+") do
    set[word] = true
  end
  return set
end

local function comment(open, close)
  return { open = open, close = close, is_long = close ~= nil, style = "code_comment" }
end

local function string_of(open, is_long, close)
  local escapes = not close
  return {
    open = open,
    close = close or open,
    escapes = escapes,
    is_long = is_long,
    style = "code_string",
  }
end

local function language(options)
  local starts = {}
  for _, entry in ipairs(options.enclosed) do
    local first = entry.open:sub(1, 1)
    starts[first] = starts[first] or {}
    table.insert(starts[first], entry)
  end
  return {
    starts = starts,
    keywords = set_of(options.keywords),
    constants = set_of(options.constants),
    word = options.word or "^[%a_][%w_]*",
    ignores_case = options.ignores_case,
    prefix = options.prefix,
  }
end

local HASH = { open = "#", style = "code_comment", spaced = true }
local C_ENCLOSED = { comment("//"), comment("/*", "*/"), string_of('"'), string_of("'") }
local C_WORDS = "auto break case char const continue default do double else enum extern float for "
  .. "goto if inline int long register return short signed sizeof static struct switch typedef "
  .. "union unsigned void volatile while"
local JS_WORDS = "as async await break case catch class const continue debugger default delete do "
  .. "else export extends finally for from function get if import in instanceof let new of return "
  .. "set static super switch this throw try typeof var void while with yield"
local TS_WORDS = " abstract any boolean declare enum implements interface keyof namespace never "
  .. "number private protected public readonly string type unknown"
local SQL_WORDS = "add all alter and any as asc between by case check column constraint create "
  .. "cross database default delete desc distinct drop else end exists foreign "
  .. "from full group having if in index inner insert into is join key left like "
  .. "limit not null on or order outer primary references right select set table "
  .. "then top union unique update values view when where with "

local makers = {}

function makers.lua()
  return language({
    enclosed = {
      comment("--[[", "]]"),
      comment("--[=[", "]=]"),
      comment("--"),
      string_of("[[", true, "]]"),
      string_of("[=[", true, "]=]"),
      string_of('"'),
      string_of("'"),
    },
    keywords = "and break do else elseif end for function goto if in local not or repeat return "
      .. "then until while",
    constants = "true false nil self",
  })
end

function makers.python()
  return language({
    enclosed = {
      comment("#"),
      string_of('"""', true),
      string_of("'''", true),
      string_of('"'),
      string_of("'"),
    },
    keywords = "and as assert async await break class continue def del elif else except finally "
      .. "for from global if import in is lambda match nonlocal not or pass raise return try while "
      .. "with yield",
    constants = "True False None self cls",
    prefix = { { "^%s*@[%w_.]+", "code_function" } },
  })
end

function makers.js()
  local enclosed = table.move(C_ENCLOSED, 1, #C_ENCLOSED, 1, { string_of("`", true) })
  enclosed[#C_ENCLOSED + 1] = string_of("`", true)
  return language({
    enclosed = enclosed,
    keywords = JS_WORDS .. TS_WORDS,
    constants = "true false null undefined NaN Infinity",
    word = "^[%a_$][%w_$]*",
  })
end

function makers.sh()
  return language({
    enclosed = {
      HASH,
      string_of('"', true),
      string_of("'", true, "'"),
    },
    keywords = "if then else elif fi for while until do done case esac in function select return "
      .. "break continue local export readonly declare set unset shift exit source alias cd echo "
      .. "sudo test",
    constants = "true false",
    word = "^%$?{?[%a_][%w_-]*}?",
    prefix = { { "^%s*[$#>]%s", "code_comment" } },
  })
end

function makers.c()
  return language({
    enclosed = C_ENCLOSED,
    keywords = C_WORDS
      .. " alignas bool catch class constexpr delete explicit friend namespace new noexcept"
      .. " operator override private protected public template this throw try typename using"
      .. " virtual",
    constants = "true false NULL nullptr",
    prefix = { { "^%s*#%s*%a+", "code_keyword" } },
  })
end

function makers.java()
  return language({
    enclosed = C_ENCLOSED,
    keywords = "abstract as base boolean break byte case catch char class const continue data "
      .. "default do double else enum extends final finally float for foreach fun if implements "
      .. "import in instanceof int interface internal is long namespace native new object override "
      .. "package private protected public return sealed short static string super switch this "
      .. "throw throws try using val var void volatile when while",
    constants = "true false null",
    prefix = { { "^%s*@%a+", "code_function" } },
  })
end

function makers.go()
  return language({
    enclosed = {
      comment("//"),
      comment("/*", "*/"),
      string_of('"'),
      string_of("`", true, "`"),
      string_of("'"),
    },
    keywords = "any bool break byte case chan const continue default defer else error fallthrough "
      .. "float64 for func go goto if import int int64 interface map package range return rune "
      .. "select string struct switch type uint var",
    constants = "true false nil iota",
  })
end

function makers.rust()
  return language({
    enclosed = { comment("//"), comment("/*", "*/"), string_of('"', true) },
    keywords = "as async await bool break char const continue crate dyn else enum extern f32 f64 "
      .. "fn for i32 i64 if impl in let loop match mod move mut pub ref return self static str "
      .. "struct super trait type u8 u32 u64 unsafe use usize where while String Vec Option Result",
    constants = "true false None Some Ok Err Self",
    word = "^[%a_][%w_]*!?",
    prefix = { { "^%s*#!?%[.*%]", "code_function" } },
  })
end

function makers.ruby()
  return language({
    enclosed = { HASH, string_of('"'), string_of("'") },
    keywords = "alias and begin break case class def do else elsif end ensure for if in include "
      .. "module next not or raise redo require rescue retry return super then undef unless until "
      .. "when while yield",
    constants = "true false nil self",
  })
end

function makers.json()
  return language({
    enclosed = { comment("//"), comment("/*", "*/"), string_of('"') },
    constants = "true false null",
    prefix = { { '^%s*"[^"\\]*"%s*:', "code_function" } },
  })
end

function makers.yaml()
  return language({
    enclosed = { HASH, string_of('"'), string_of("'") },
    constants = "true false null yes no on off",
    prefix = { { "^[%s-]*[%w_./-]+:", "code_function" }, { "^%-%-%-$", "code_keyword" } },
  })
end

function makers.toml()
  return language({
    enclosed = { HASH, string_of('"""', true), string_of('"'), string_of("'") },
    constants = "true false inf nan",
    prefix = {
      { "^%s*%[+[^%]]*%]+", "code_keyword" },
      { '^%s*[%w_."-]+%s*=', "code_function" },
    },
  })
end

function makers.html()
  return language({
    enclosed = { comment("<!--", "-->"), string_of('"', true), string_of("'") },
    word = "^</?[%a!?][%w:-]*",
    keywords = "",
    prefix = {},
  })
end

function makers.css()
  return language({
    enclosed = { comment("/*", "*/"), comment("//"), string_of('"'), string_of("'") },
    constants = "none auto inherit initial unset",
    word = "^[%a_@.#-][%w_-]*",
    prefix = { { "^%s*[%a-]+:%s", "code_function" } },
  })
end

function makers.sql()
  return language({
    enclosed = { comment("--"), comment("/*", "*/"), string_of("'", true, "'"), string_of('"') },
    keywords = SQL_WORDS,
    constants = "true false null",
    ignores_case = true,
  })
end

local ALIASES = {
  py = "python",
  python3 = "python",
  javascript = "js",
  jsx = "js",
  ts = "js",
  tsx = "js",
  typescript = "js",
  mjs = "js",
  bash = "sh",
  shell = "sh",
  zsh = "sh",
  console = "sh",
  fish = "sh",
  make = "sh",
  makefile = "sh",
  dockerfile = "sh",
  ["c++"] = "c",
  cpp = "c",
  cc = "c",
  h = "c",
  hpp = "c",
  objc = "c",
  cs = "java",
  csharp = "java",
  ["c#"] = "java",
  kotlin = "java",
  kt = "java",
  swift = "java",
  scala = "java",
  dart = "java",
  php = "java",
  golang = "go",
  rs = "rust",
  rb = "ruby",
  jsonc = "json",
  json5 = "json",
  yml = "yaml",
  ini = "toml",
  xml = "html",
  svg = "html",
  vue = "html",
  svelte = "html",
  scss = "css",
  less = "css",
  postgresql = "sql",
  sqlite = "sql",
  mysql = "sql",
}

-- What a language looks like never changes, so this table is a memo and no state.
local made = {}

--- Returns what a language looks like, by its name in a fence; nil for an unknown one.
---@param name string
---@return panto.tui.Language?
function languages.get(name)
  name = ALIASES[name] or name
  if not made[name] and makers[name] then
    made[name] = makers[name]()
  end
  return made[name]
end

return languages
