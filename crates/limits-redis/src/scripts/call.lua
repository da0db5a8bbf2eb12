-- KEYS: a customer's month, the customer's second.
-- ARGV: process, session, calls a second, the operation, its moment if that is not to be Redis' own.
-- A number admits the call, up to so many in the month; `uncounted` admits a call that does not count; `refund` refunds a call.
-- Returns the outcome, then the month's count and the part of it that the process counted, both after the call; nothing where
-- the month is not merged in the session.
local done, second_is_full, month_is_full = 0, 1, 2
local process, operation = ARGV[1], ARGV[4]
local seen = redis.call('HMGET', KEYS[1], 'session:' .. process, 'total', 'admitted:' .. process, 'given:' .. process)
if seen[1] ~= ARGV[2] then
  return {}
end
local total, own = tonumber(seen[2]), tonumber(seen[3]) - tonumber(seen[4])
local function count(field, change)
  redis.call('HINCRBY', KEYS[1], field .. process, 1)
  redis.call('HINCRBY', KEYS[1], 'total', change)
  return { done, total + change, own + change }
end
if operation == 'refund' then
  return count('given:', -1)
end
local counts = operation ~= 'uncounted'
if counts and total >= tonumber(operation) then
  return { month_is_full, total, own }
end
if not takes_place(KEYS[2], tonumber(ARGV[3]), ARGV[5]) then
  return { second_is_full, total, own }
end
return counts and count('admitted:', 1) or { done, total, own }
