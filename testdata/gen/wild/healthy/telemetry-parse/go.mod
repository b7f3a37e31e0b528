module wild/telemetry-parse

go 1.20

require wild/kit v0.0.0

require github.com/valyala/fastjson v1.6.4

replace wild/kit => ../../kit
