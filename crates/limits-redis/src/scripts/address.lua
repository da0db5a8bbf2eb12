-- KEYS: the second of an address. ARGV: calls a second, the moment if it is not to be Redis' own.
local window = second(KEYS[1], tonumber(ARGV[1]), 1)
local admits = window.takes_place(ARGV[2])
window.note()
return admits and 1 or 0
