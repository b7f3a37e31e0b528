module wild/ttlcache-per-report

go 1.26

require (
	github.com/wunderlist/ttlcache v0.0.0-20180801091818-7dbceb0d5094
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
