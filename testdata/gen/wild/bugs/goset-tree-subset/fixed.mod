module wild/goset-tree-subset

go 1.26

require (
	github.com/hashicorp/go-set v0.1.13
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
