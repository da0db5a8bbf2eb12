-- KEYS: a customer's month, the customer's second.
-- ARGV: process, session, calls a month, calls a second, 1 where the call counts, the moment if it is not to be Redis' own.
-- Gives what became of the call, the month's count, and what of it the process counted.
local admitted, second_is_full, month_is_full, not_merged = 0, 1, 2, 3
local process = ARGV[1]
local seen = redis.call('HMGET', KEYS[1], 'session:' .. process, 'total', 'admitted:' .. process, 'given:' .. process)
if seen[1] ~= ARGV[2] then
  return { not_merged, 0, 0 }
end
local total, own = tonumber(seen[2]), tonumber(seen[3]) - tonumber(seen[4])
if total >= tonumber(ARGV[3]) then
  return { month_is_full, total, own }
end
if not takes_place(KEYS[2], tonumber(ARGV[4]), ARGV[6]) then
  return { second_is_full, total, own }
end
if ARGV[5] == '1' then
  redis.call('HINCRBY', KEYS[1], 'admitted:' .. process, 1)
  redis.call('HINCRBY', KEYS[1], 'total', 1)
  total, own = total + 1, own + 1
end
return { admitted, total, own }
