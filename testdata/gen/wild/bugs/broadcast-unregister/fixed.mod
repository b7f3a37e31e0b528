module wild/broadcast-unregister

go 1.26

require (
	github.com/dustin/go-broadcast v0.0.0-20171205050544-f664265f5a66
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
