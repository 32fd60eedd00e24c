-- Work that grows as the square, each kind seen by another count: what the meter must tell.

return {
  instructions = {
    n = 1000,
    prepare = function(n)
      return n
    end,
    work = function(n)
      local sum = 0
      for i = 1, n do
        for k = 1, n do
          sum = sum + i * k
        end
      end
    end,
  },
  allocated = {
    n = 1000,
    prepare = function(n)
      return n
    end,
    work = function(n)
      local text = ""
      for i = 1, n do
        text = text .. i % 10
      end
    end,
  },
  walked = {
    n = 1000,
    prepare = function(n)
      return ("x"):rep(n)
    end,
    work = function(text)
      for _ = 1, #text do
        text:find("y", 1, true)
      end
    end,
  },
  io = {
    n = 30,
    prepare = function(n)
      local path = os.tmpname()
      local file <close> = assert(io.open(path, "wb"))
      file:write(("x"):rep(n * 1000))
      return { path = path, n = n }
    end,
    work = function(state)
      for _ = 1, state.n do
        local file <close> = assert(io.open(state.path, "rb"))
        file:read("a")
      end
    end,
    finish = function(state)
      os.remove(state.path)
    end,
  },
}
