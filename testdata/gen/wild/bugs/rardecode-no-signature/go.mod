module wild/rardecode-no-signature

go 1.26

require (
	github.com/nwaples/rardecode/v2 v2.2.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
