module wild/fixedfifo-gone-listener

go 1.26

require (
	github.com/enriquebris/goconcurrentqueue v0.6.0
	wild/kit v0.0.0
)

require github.com/stretchr/testify v1.12.1 // indirect

replace wild/kit => ../../kit
