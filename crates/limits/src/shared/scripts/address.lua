-- KEYS: the second of an address. ARGV: calls a second, the moment if it is not to be Redis' own.
return takes_place(KEYS[1], tonumber(ARGV[1]), ARGV[2]) and 1 or 0
