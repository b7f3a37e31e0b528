module wild/bolt-two-writers

go 1.26.0

require (
	github.com/boltdb/bolt v1.3.1
	wild/kit v0.0.0
)

require golang.org/x/sys v0.49.0 // indirect

replace wild/kit => ../../kit
