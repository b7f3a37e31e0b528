module wild/expirable-evict-len

go 1.26

require (
	github.com/hashicorp/golang-lru/v2 v2.0.7
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
