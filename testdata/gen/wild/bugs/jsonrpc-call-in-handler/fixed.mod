module wild/jsonrpc-call-in-handler

go 1.26

require (
	github.com/sourcegraph/jsonrpc2 v0.2.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
