-- A second is a list of its last calls in microseconds, newest first, no longer than the limit.
-- Adds a call at a moment, by default that of Redis' own clock; returns false if the second is full. A call that lies a second
-- or more ahead is from before the clock was set back, and is over.
local function takes_place(key, per_second, given)
  local moment = tonumber(given)
  if not moment then
    local time = redis.call('TIME')
    moment = tonumber(time[1]) * 1000000 + tonumber(time[2])
  end
  local oldest = redis.call('LINDEX', key, per_second - 1)
  if oldest and math.abs(moment - tonumber(oldest)) < 1000000 then
    return false
  end
  redis.call('LPUSH', key, string.format('%.0f', moment))
  redis.call('LTRIM', key, 0, per_second - 1)
  redis.call('PEXPIRE', key, 2000)
  return true
end
