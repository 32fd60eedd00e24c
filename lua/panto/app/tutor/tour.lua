-- The script that `panto tutor` plays: a lesson for each thing that the user says.
-- Steering is part of the running lesson; a lesson that cannot go on yet is said again.

local lessons = require("panto.app.tutor.lessons")

local WAITING = "Not yet: "

local function said(message)
  local texts = {}
  for _, part in ipairs(message.content) do
    texts[#texts + 1] = part.type == "text" and part.text or nil
  end
  return table.concat(texts, "\n")
end

-- Where the conversation is: which lesson, which step of it, and what was typed meanwhile.
local function place_of(request)
  local place = { lesson = 0, step = 1, steered = nil, request = request }
  local before
  for _, message in ipairs(request.messages) do
    if message.role == "assistant" then
      place.step = place.step + 1
      if said(message):sub(1, #WAITING) == WAITING then
        place.lesson = place.lesson - 1
      end
    elseif message.role == "user" and before ~= "tool" then
      place.lesson, place.step, place.steered = place.lesson + 1, 1, nil
    elseif message.role == "user" then
      place.steered = said(message)
    end
    before = message.role
  end
  return place
end

return function(request)
  local place = place_of(request)
  local lesson = lessons[math.min(place.lesson, #lessons)]
  local step, message = lesson(place)
  if message then
    step = { text = WAITING .. message }
  elseif type(step) == "string" then
    step = { text = step }
  end
  step.delay_ms = step.delay_ms or 6
  return step
end
