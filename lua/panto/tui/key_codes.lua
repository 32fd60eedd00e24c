-- The tables of terminal key codes: final letters, numbers before a tilde, Kitty's codes.
local key_codes = {}

--- Final letters of `CSI … X` and of `ESC O X`.
---@type table<string, string>
key_codes.letters = {
  A = "up",
  B = "down",
  C = "right",
  D = "left",
  E = "begin",
  F = "end",
  H = "home",
  P = "f1",
  Q = "f2",
  R = "f3",
  S = "f4",
}

--- Final letters after `ESC O` on a keypad in application mode, and what they type.
---@type table<string, string>
key_codes.keypad = {
  M = "enter",
  X = "=",
  j = "*",
  k = "+",
  l = ",",
  m = "-",
  n = ".",
  o = "/",
  p = "0",
  q = "1",
  r = "2",
  s = "3",
  t = "4",
  u = "5",
  v = "6",
  w = "7",
  x = "8",
  y = "9",
}

--- Numbers of `CSI n ~`.
---@type table<integer, string>
key_codes.tilde = {
  [1] = "home",
  [2] = "insert",
  [3] = "delete",
  [4] = "end",
  [5] = "page_up",
  [6] = "page_down",
  [7] = "home",
  [8] = "end",
  [11] = "f1",
  [12] = "f2",
  [13] = "f3",
  [14] = "f4",
  [15] = "f5",
  [17] = "f6",
  [18] = "f7",
  [19] = "f8",
  [20] = "f9",
  [21] = "f10",
  [23] = "f11",
  [24] = "f12",
  [25] = "f13",
  [26] = "f14",
  [28] = "f15",
  [29] = "f16",
  [31] = "f17",
  [32] = "f18",
  [33] = "f19",
  [34] = "f20",
}

--- Codes of `CSI code ; … u` that are keys and not characters.
---@type table<integer, string>
key_codes.named = {
  [8] = "backspace",
  [9] = "tab",
  [10] = "enter",
  [13] = "enter",
  [27] = "escape",
  [127] = "backspace",
  [57361] = "print",
  [57362] = "pause",
  [57363] = "menu",
  [57414] = "enter",
  [57417] = "left",
  [57418] = "right",
  [57419] = "up",
  [57420] = "down",
  [57421] = "page_up",
  [57422] = "page_down",
  [57423] = "home",
  [57424] = "end",
  [57425] = "insert",
  [57426] = "delete",
  [57427] = "begin",
}
for number = 13, 35 do
  key_codes.named[57376 + number - 13] = "f" .. number
end

--- Kitty's keypad codes that type a character.
---@type table<integer, string>
key_codes.keypad_text = {
  [57409] = ".",
  [57410] = "/",
  [57411] = "*",
  [57412] = "-",
  [57413] = "+",
  [57415] = "=",
  [57416] = ",",
}
for digit = 0, 9 do
  key_codes.keypad_text[57399 + digit] = tostring(digit)
end

return key_codes
