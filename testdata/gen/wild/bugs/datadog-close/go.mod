module wild/datadog-close

go 1.26

require (
	github.com/DataDog/datadog-go v3.4.0+incompatible
	wild/kit v0.0.0
)

require github.com/stretchr/testify v1.12.1 // indirect

replace wild/kit => ../../kit
