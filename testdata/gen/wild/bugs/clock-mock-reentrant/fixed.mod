module wild/clock-mock-reentrant

go 1.26

require (
	github.com/benbjohnson/clock v1.3.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
