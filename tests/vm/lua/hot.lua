-- Most of the time goes into `square`: 20 times as many turns as `join`.
local function join(n)
  local words = {}
  for i = 1, n do words[#words + 1] = "k" .. i .. "=" .. (i * 7 % 13) end
  return #table.concat(words, "&")
end

local function square(n)
  local sum = 0
  for i = 1, n do sum = sum + (i * i) % 17 end
  return sum
end

local function page(n)
  return join(n) + square(n * 40)
end

local function work(times)
  local total = 0
  for _ = 1, times do total = total + page(100) end
  return total
end

if ngx then
  ngx.say(work(20))
else
  if arg[1] == "interpreter" then jit.off() end
  while true do work(20) end
end
