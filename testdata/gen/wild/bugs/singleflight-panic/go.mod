module wild/singleflight-panic

go 1.26

require (
	github.com/golang/groupcache v0.0.0-20241129210726-2c02b8208cf8
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
