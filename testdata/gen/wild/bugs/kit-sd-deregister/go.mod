module wild/kit-sd-deregister

go 1.26

require (
	github.com/go-kit/kit v0.6.0
	wild/kit v0.0.0
)

require (
	github.com/go-logfmt/logfmt v0.6.1 // indirect
	github.com/go-stack/stack v1.8.1 // indirect
)

replace wild/kit => ../../kit
