module wild/leveldb-put-in-transaction

go 1.26

require (
	github.com/syndtr/goleveldb v1.0.0
	wild/kit v0.0.0
)

require github.com/golang/snappy v0.0.0-20180518054509-2e65f85255db // indirect

replace wild/kit => ../../kit
