module wild/ttlcache-stop-before-start

go 1.26

require (
	github.com/jellydator/ttlcache/v3 v3.4.0
	wild/kit v0.0.0
)

require golang.org/x/sync v0.15.0 // indirect

replace wild/kit => ../../kit
