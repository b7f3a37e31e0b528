module wild/bolt-write-in-view

go 1.26.0

require (
	go.etcd.io/bbolt v1.3.3
	wild/kit v0.0.0
)

require golang.org/x/sys v0.49.0 // indirect

replace wild/kit => ../../kit
