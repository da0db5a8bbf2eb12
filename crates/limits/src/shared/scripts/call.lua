-- KEYS: a customer's month, the customer's second, the mark of the server.
-- ARGV: the number of the connection, calls a second, the operation, its moment if that is not to be Redis' own, calls to
-- subtract, the least count of the month after that, 1 if an unknown month has it, the seconds for which a month is kept.
-- A number admits the call, up to so many in the month; `uncounted` admits a call that does not count; `correct` admits none.
-- Returns the outcome and the month's count after the call. Changes nothing, and returns nothing, if the mark is of another
-- connection or gone.
local done, second_is_full, month_is_full, not_seeded = 0, 1, 2, 3
if redis.call('GET', KEYS[3]) ~= ARGV[1] then
  return {}
end
local operation, known = ARGV[3], tonumber(redis.call('GET', KEYS[1]))
if not known and ARGV[7] ~= '1' then
  return { not_seeded, 0 }
end
local total = math.max((known or 0) - tonumber(ARGV[5]), tonumber(ARGV[6]))
local function answer(outcome)
  if total ~= known then
    redis.call('SET', KEYS[1], string.format('%.0f', total), 'EX', ARGV[8])
  end
  return { outcome, total }
end
if operation == 'correct' then
  return answer(done)
end
local counts = operation ~= 'uncounted'
if counts and total >= tonumber(operation) then
  return answer(month_is_full)
end
if not takes_place(KEYS[2], tonumber(ARGV[2]), ARGV[4]) then
  return answer(second_is_full)
end
total = counts and total + 1 or total
return answer(done)
