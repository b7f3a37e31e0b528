module wild/proto-open-rpc

go 1.26

require (
	github.com/emicklei/proto v1.6.15
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
