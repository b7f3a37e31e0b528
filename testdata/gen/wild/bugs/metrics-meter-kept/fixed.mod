module wild/metrics-meter-kept

go 1.26

require (
	github.com/rcrowley/go-metrics v0.0.0-20201227073835-cf1acfcdf475
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
