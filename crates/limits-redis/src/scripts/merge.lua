-- KEYS: a customer's month. ARGV: process, session, seconds to keep it, then process, calls admitted and given back, ...
-- Raises each number to the one that is given, where it is lower, and opens the month for the session. Gives everything
-- that is counted; nothing where the process has begun a later session.
local key, session = KEYS[1], 'session:' .. ARGV[1]
if tonumber(redis.call('HGET', key, session) or '0') > tonumber(ARGV[2]) then
  return {}
end
local function raise(field, to)
  if tonumber(redis.call('HGET', key, field) or '-1') < tonumber(to) then
    redis.call('HSET', key, field, to)
  end
end
for at = 4, #ARGV, 3 do
  raise('admitted:' .. ARGV[at], ARGV[at + 1])
  raise('given:' .. ARGV[at], ARGV[at + 2])
end
local fields, total = redis.call('HGETALL', key), 0
for at = 1, #fields, 2 do
  if string.sub(fields[at], 1, 9) == 'admitted:' then
    total = total + tonumber(fields[at + 1])
  elseif string.sub(fields[at], 1, 6) == 'given:' then
    total = total - tonumber(fields[at + 1])
  end
end
redis.call('HSET', key, 'total', string.format('%.0f', total), session, ARGV[2])
redis.call('EXPIRE', key, ARGV[3])
return redis.call('HGETALL', key)
