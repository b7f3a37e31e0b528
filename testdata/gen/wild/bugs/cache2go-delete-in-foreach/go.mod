module wild/cache2go-delete-in-foreach

go 1.26

require (
	github.com/muesli/cache2go v0.0.0-20221011235721-518229cd8021
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
