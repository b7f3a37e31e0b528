module wild/tenant-limits

go 1.20

require (
	github.com/jellydator/ttlcache/v3 v3.0.1
	wild/kit v0.0.0
)

require golang.org/x/sync v0.0.0-20210220032951-036812b2e83c // indirect

replace wild/kit => ../../kit
