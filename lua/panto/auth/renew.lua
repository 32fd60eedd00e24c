-- A stored login into one that is good for the next request: refreshed and exchanged when it is due,
-- one panto at a time.

local exchange = require("panto.auth.exchange")
local refresh = require("panto.auth.refresh")
local store = require("panto.auth.store")
local task = require("panto.sys.task")
local tokens = require("panto.auth.tokens")
local words = require("panto.auth.words")

local EARLY_S = 300
local FINISH_MS = 5000

---@class panto.auth.Access
---@field name string of the session
---@field section table `[auth.<name>]`
---@field store panto.auth.Store
---@field wire panto.auth.Wire
---@field refused string? the token that the API just refused, whatever its expiry says

local renew = {}

local function is_due(thing, now_s)
  return thing.expires_at ~= nil and thing.expires_at - now_s < EARLY_S
end

local function is_dead(thing, now_s)
  return thing.expires_at ~= nil and thing.expires_at <= now_s
end

local function not_logged_in(access, note)
  local text = "'%s' is not logged in (run: %s)"
  text = text:format(access.name, words.login(access.name))
  return nil, note and note .. "; " .. text or text, true
end

local function log_in_again(access, message)
  return nil, ("%s; log in again: %s"):format(message, words.login(access.name)), true
end

-- What the API refused is as good as expired; another panto may have renewed it already.
local function forget_refused(access, record)
  local given = access.section.exchange_url and record.exchange
  if given and given.token == access.refused then
    record.exchange = nil
  elseif not given and record.access_token == access.refused then
    record.expires_at = 0
  end
  return record
end

local function record_in(access, entry)
  local record = store.record(entry)
  if not record or not tokens.belongs(access.section, record) then
    return nil
  end
  return access.refused and forget_refused(access, record) or record
end

local function is_good(access, record, now_s)
  if is_due(record, now_s) then
    return false
  end
  return not access.section.exchange_url
    or record.exchange ~= nil and not is_due(record.exchange, now_s)
end

-- What another panto renewed while this one waited is taken, even when it is short-lived.
local function may_stay(thing, seen, now_s)
  return not is_due(thing, now_s) or seen and not is_dead(thing, now_s)
end

local function refreshed(access, held, record, is_new)
  local now_s = access.wire:now_s()
  if may_stay(record, is_new, now_s) then
    return record
  elseif not record.refresh_token then
    if is_dead(record, now_s) then
      return log_in_again(access, ("the login of '%s' has expired"):format(access.name))
    end
    return record
  end
  local fresh, message, is_final = refresh.run(access.section, access.name, access.wire, record)
  if fresh then
    local written
    written, message = held:set(access.name, fresh)
    return written and fresh, message
  elseif is_final then
    record.refresh_token = nil
    held:set(access.name, record)
  end
  if not is_dead(record, access.wire:now_s()) then
    return record
  elseif is_final then
    return log_in_again(access, message)
  end
  return nil, message
end

local function exchanged(access, held, record, is_new)
  local now_s = access.wire:now_s()
  local old = record.exchange
  if not access.section.exchange_url or old and may_stay(old, is_new, now_s) then
    return record
  end
  local fresh, message, status =
    exchange.run(access.section, access.name, access.wire, record.access_token)
  if fresh then
    record.exchange = fresh
    local written
    written, message = held:set(access.name, record)
    return written and record, message
  elseif old and not status and not is_dead(old, access.wire:now_s()) then
    return record
  end
  return nil, message, status == 401
end

local function renew_locked(access, seen)
  local held <close>, message = access.store:open()
  if not held then
    return nil, message
  end
  local record = record_in(access, held.entries[access.name])
  if not record then
    return not_logged_in(access, held.note)
  end
  local needs_login
  local is_new = record.access_token ~= seen.access_token
  record, message, needs_login = refreshed(access, held, record, is_new)
  if not record then
    return nil, message, needs_login
  end
  local former = seen.exchange and seen.exchange.token
  is_new = record.exchange ~= nil and record.exchange.token ~= former
  return exchanged(access, held, record, is_new)
end

-- The server forgets the old refresh token when it gives a new one: once begun, a renewal is
-- finished and written even if the turn that asked for it is cancelled.
local function finish(access, seen)
  local work = task.run(renew_locked, access, seen)
  work.observed = true
  local guard <close> = setmetatable({}, {
    __close = function()
      if not work:done() then
        task.timeout(FINISH_MS, task.join, work)
      end
    end,
  })
  local record, message, needs_login = task.await(work)
  return record, message, needs_login, guard and nil
end

--- Returns a login whose tokens are good for some minutes.
---@param access panto.auth.Access
---@return panto.auth.Record?
---@return string? message
---@return boolean? needs_login only a new login helps
function renew.run(access)
  local entry, message = access.store:get(access.name)
  local record = record_in(access, entry)
  if record and is_good(access, record, access.wire:now_s()) then
    return record
  elseif message then
    return nil, message
  end
  return finish(access, record or {})
end

--- Completes a login that was just stored: nothing but the exchange is left to do.
---@param access panto.auth.Access
---@return panto.auth.Record?
---@return string? message
function renew.complete(access)
  local record, message = finish(access, {})
  return record, message
end

return renew
