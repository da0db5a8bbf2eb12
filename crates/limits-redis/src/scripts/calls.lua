-- KEYS: a customer's month, the customer's second.
-- ARGV: process, session, calls a second, then for each call what to do and its moment if that is not to be Redis' own.
-- A number admits the call, up to so many in the month; `uncounted` admits one that does not count; `back` gives one back.
-- Gives the month's count and what of it the process counted, both before the calls, then what became of each in turn;
-- nothing where the month is not merged in the session.
local done, second_is_full, month_is_full = 0, 1, 2
local process, first = ARGV[1], 4
local seen = redis.call('HMGET', KEYS[1], 'session:' .. process, 'total', 'admitted:' .. process, 'given:' .. process)
if seen[1] ~= ARGV[2] then
  return {}
end
local total, own = tonumber(seen[2]), tonumber(seen[3]) - tonumber(seen[4])
local window = second(KEYS[2], tonumber(ARGV[3]), (#ARGV - first + 1) / 2)
local answer, admitted, given = { total, own }, 0, 0
for at = first, #ARGV, 2 do
  local what, outcome = ARGV[at], done
  if what == 'back' then
    given = given + 1
  elseif what ~= 'uncounted' and total + admitted - given >= tonumber(what) then
    outcome = month_is_full
  elseif not window.takes_place(ARGV[at + 1]) then
    outcome = second_is_full
  elseif what ~= 'uncounted' then
    admitted = admitted + 1
  end
  answer[#answer + 1] = outcome
end
window.note()
if admitted > 0 then
  redis.call('HINCRBY', KEYS[1], 'admitted:' .. process, admitted)
end
if given > 0 then
  redis.call('HINCRBY', KEYS[1], 'given:' .. process, given)
end
if admitted ~= given then
  redis.call('HINCRBY', KEYS[1], 'total', admitted - given)
end
return answer
