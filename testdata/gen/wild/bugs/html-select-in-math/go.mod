module wild/html-select-in-math

go 1.26

require (
	golang.org/x/net v0.0.0-20180906233101-161cd47e91fd
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
