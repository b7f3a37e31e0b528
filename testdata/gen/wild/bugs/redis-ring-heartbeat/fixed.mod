module wild/redis-ring-heartbeat

go 1.26

require (
	github.com/go-redis/redis/v8 v8.11.5
	wild/kit v0.0.0
)

require (
	github.com/cespare/xxhash/v2 v2.1.2 // indirect
	github.com/dgryski/go-rendezvous v0.0.0-20200823014737-9f7001d12a5f // indirect
)

replace wild/kit => ../../kit
