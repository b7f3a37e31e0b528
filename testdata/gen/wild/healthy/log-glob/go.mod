module wild/log-glob

go 1.20

require wild/kit v0.0.0

require github.com/tidwall/match v1.1.1

replace wild/kit => ../../kit
