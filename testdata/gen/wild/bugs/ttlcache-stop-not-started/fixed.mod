module wild/ttlcache-stop-not-started

go 1.26

require (
	github.com/jellydator/ttlcache/v3 v3.4.1
	wild/kit v0.0.0
)

require golang.org/x/sync v0.16.0 // indirect

replace wild/kit => ../../kit
