module wild/html-select-in-math

go 1.26

require (
	golang.org/x/net v0.0.0-20190404232315-eb5bcb51f2a3
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
