-- JSON Schema (the subset that tools use): checks a value, and mends one that nearly fits.

local schema_check = require("panto.base.schema_check")
local schema_coerce = require("panto.base.schema_coerce")

local schema = {}

--- Checks a value against a schema; the message names each place that is wrong.
---@type fun(schema: table|boolean, value: any): true?, string?
schema.check = schema_check.check

--- Mends what models often send, as "5" for 5; the given value itself is not changed.
---@type fun(schema: table|boolean, value: any): any
schema.coerce = schema_coerce.coerce

return schema
