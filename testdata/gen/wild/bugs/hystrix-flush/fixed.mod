module wild/hystrix-flush

go 1.26

require (
	github.com/afex/hystrix-go v0.0.0-20180502004556-fa1af6a1f4f5
	wild/kit v0.0.0
)

require github.com/smartystreets/goconvey v1.8.1 // indirect

replace wild/kit => ../../kit
