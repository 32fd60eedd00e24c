-- The named styles of the screen, each as SGR parameters for a dark and a light background.
-- A style is { colour for truecolor, for 256 colours, for 16 colours, extra attributes }.
local palette = {}

local function style(rgb, indexed, basic, attributes)
  return { rgb = rgb, indexed = indexed, basic = basic, attributes = attributes }
end

--- Styles for a dark background.
---@type table<string, table>
palette.dark = {
  accent = style("122;162;247", 111, 94),
  user = style("158;206;106", 150, 92, "1"),
  muted = style("130;137;165", 245, 90),
  rule = style("70;75;100", 239, 90),
  thinking = style("130;137;165", 245, 90, "3"),
  tool = style("224;175;104", 179, 33, "1"),
  tool_arguments = style("192;202;245", 252, 37),
  output = style("160;165;190", 248, 37),
  ok = style("158;206;106", 150, 32),
  warning = style("224;175;104", 179, 33),
  error = style("247;118;142", 204, 91),
  added = style("158;206;106", 150, 32),
  removed = style("247;118;142", 204, 31),
  hunk = style("125;207;255", 117, 36),
  selected = style("122;162;247", 111, 94, "1"),
  match = style("224;175;104", 179, 33, "1"),
  footer = style("130;137;165", 245, 90),
  paste = style("187;154;247", 141, 35),
  bold = style(nil, nil, nil, "1"),
  strong = style(nil, nil, nil, "1"),
  emphasis = style(nil, nil, nil, "3"),
  strike = style(nil, nil, nil, "9"),
  heading = style("122;162;247", 111, 94, "1"),
  code = style("125;207;255", 117, 36),
  link = style("125;207;255", 117, 36, "4"),
  quote = style("160;165;190", 248, 37, "3"),
  quote_bar = style("70;75;100", 239, 90),
  list_mark = style("122;162;247", 111, 94),
  code_keyword = style("187;154;247", 141, 35),
  code_string = style("158;206;106", 150, 32),
  code_comment = style("130;137;165", 245, 90, "3"),
  code_number = style("224;175;104", 179, 33),
  code_function = style("122;162;247", 111, 94),
  added_word = style("158;206;106", 150, 32, "1;7"),
  removed_word = style("247;118;142", 204, 31, "1;7"),
}

--- Styles for a light background.
---@type table<string, table>
palette.light = {
  accent = style("46;92;180", 25, 34),
  user = style("40;110;30", 28, 32, "1"),
  muted = style("100;105;120", 242, 90),
  rule = style("190;195;205", 250, 37),
  thinking = style("100;105;120", 242, 90, "3"),
  tool = style("140;90;10", 94, 33, "1"),
  tool_arguments = style("50;55;75", 237, 30),
  output = style("80;85;100", 240, 90),
  ok = style("40;110;30", 28, 32),
  warning = style("140;90;10", 94, 33),
  error = style("190;30;60", 161, 31),
  added = style("40;110;30", 28, 32),
  removed = style("190;30;60", 161, 31),
  hunk = style("0;110;140", 30, 36),
  selected = style("46;92;180", 25, 34, "1"),
  match = style("140;90;10", 94, 33, "1"),
  footer = style("100;105;120", 242, 90),
  paste = style("120;60;170", 91, 35),
  bold = style(nil, nil, nil, "1"),
  strong = style(nil, nil, nil, "1"),
  emphasis = style(nil, nil, nil, "3"),
  strike = style(nil, nil, nil, "9"),
  heading = style("46;92;180", 25, 34, "1"),
  code = style("0;110;140", 30, 36),
  link = style("0;110;140", 30, 36, "4"),
  quote = style("80;85;100", 240, 90, "3"),
  quote_bar = style("190;195;205", 250, 37),
  list_mark = style("46;92;180", 25, 34),
  code_keyword = style("120;60;170", 91, 35),
  code_string = style("40;110;30", 28, 32),
  code_comment = style("100;105;120", 242, 90, "3"),
  code_number = style("140;90;10", 94, 33),
  code_function = style("46;92;180", 25, 34),
  added_word = style("40;110;30", 28, 32, "1;7"),
  removed_word = style("190;30;60", 161, 31, "1;7"),
}

return palette
