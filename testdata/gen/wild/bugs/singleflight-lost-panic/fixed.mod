module wild/singleflight-lost-panic

go 1.26

require (
	golang.org/x/sync v0.1.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
