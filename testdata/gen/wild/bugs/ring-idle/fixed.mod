module wild/ring-idle

go 1.26

require (
	github.com/Workiva/go-datastructures v1.1.3
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
