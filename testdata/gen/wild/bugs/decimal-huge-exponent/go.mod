module wild/decimal-huge-exponent

go 1.24

require (
	github.com/shopspring/decimal v1.3.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
