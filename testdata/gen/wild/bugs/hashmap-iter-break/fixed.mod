module wild/hashmap-iter-break

go 1.26

require (
	github.com/cornelk/hashmap v1.0.1
	wild/kit v0.0.0
)

require github.com/dchest/siphash v1.1.0 // indirect

replace wild/kit => ../../kit
