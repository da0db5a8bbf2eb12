-- Whether a second holds one more call, which is noted: a list of the last calls in microseconds, newest first, no longer
-- than the limit. A call that lies a second or more ahead is from before the clock was set back, and is over.
local function takes_place(key, per_second, given)
  local now = tonumber(given)
  if not now then
    local time = redis.call('TIME')
    now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  end
  local oldest = redis.call('LINDEX', key, per_second - 1)
  if oldest then
    local age = now - tonumber(oldest)
    if age > -1000000 and age < 1000000 then
      return false
    end
  end
  redis.call('LPUSH', key, string.format('%.0f', now))
  redis.call('LTRIM', key, 0, per_second - 1)
  redis.call('PEXPIRE', key, 2000)
  return true
end
