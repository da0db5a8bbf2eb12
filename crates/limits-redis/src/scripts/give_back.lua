-- KEYS: a customer's month. ARGV: process, session.
-- Gives whether it was given back, the month's count, and what of it the process counted.
local given_back, not_merged = 0, 3
local process = ARGV[1]
local seen = redis.call('HMGET', KEYS[1], 'session:' .. process, 'total', 'admitted:' .. process, 'given:' .. process)
if seen[1] ~= ARGV[2] then
  return { not_merged, 0, 0 }
end
redis.call('HINCRBY', KEYS[1], 'given:' .. process, 1)
redis.call('HINCRBY', KEYS[1], 'total', -1)
return { given_back, tonumber(seen[2]) - 1, tonumber(seen[3]) - tonumber(seen[4]) - 1 }
