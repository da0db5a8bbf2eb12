-- A second, as a list of its last calls in microseconds, newest first, no longer than the limit. So many `calls` are about to
-- ask for a place, in turn. A call that lies a second or more ahead is from before the clock was set back, and is over.
local function second(key, per_second, calls)
  local first = math.max(per_second - calls, 0)
  local seen, taken, now = redis.call('LRANGE', key, first, per_second - 1), {}, nil
  local this = {}
  -- Whether it holds one more call, which takes its place.
  function this.takes_place(given)
    local moment = tonumber(given) or now
    if not moment then
      local time = redis.call('TIME')
      now = tonumber(time[1]) * 1000000 + tonumber(time[2])
      moment = now
    end
    local oldest
    if #taken < per_second then
      oldest = tonumber(seen[per_second - #taken - first])
    else
      oldest = tonumber(taken[#taken - per_second + 1])
    end
    if oldest and moment - oldest > -1000000 and moment - oldest < 1000000 then
      return false
    end
    taken[#taken + 1] = string.format('%.0f', moment)
    return true
  end
  -- Notes the calls that took a place.
  function this.note()
    if #taken > 0 then
      redis.call('LPUSH', key, unpack(taken))
      redis.call('LTRIM', key, 0, per_second - 1)
      redis.call('PEXPIRE', key, 2000)
    end
  end
  return this
end
