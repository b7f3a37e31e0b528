module wild/metrics-meter-kept

go 1.26

require (
	github.com/rcrowley/go-metrics v0.0.0-20161128210544-1f30fe9094a5
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
