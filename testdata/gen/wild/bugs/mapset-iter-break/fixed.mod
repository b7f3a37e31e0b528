module wild/mapset-iter-break

go 1.26

require (
	github.com/deckarep/golang-set v1.7.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
