module wild/theine-delete-in-listener

go 1.26

require (
	github.com/Yiling-J/theine-go v0.3.1
	wild/kit v0.0.0
)

require (
	github.com/gammazero/deque v0.2.1 // indirect
	github.com/klauspost/cpuid/v2 v2.0.9 // indirect
	github.com/ncw/directio v1.0.5 // indirect
	github.com/zeebo/xxh3 v1.0.2 // indirect
	golang.org/x/sys v0.8.0 // indirect
)

replace wild/kit => ../../kit
