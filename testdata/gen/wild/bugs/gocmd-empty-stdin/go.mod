module wild/gocmd-empty-stdin

go 1.26

require (
	github.com/go-cmd/cmd v1.4.3
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
