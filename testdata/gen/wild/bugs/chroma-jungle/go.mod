module wild/chroma-jungle

go 1.26

require (
	github.com/alecthomas/chroma/v2 v2.24.1
	wild/kit v0.0.0
)

require github.com/dlclark/regexp2 v1.12.0 // indirect

replace wild/kit => ../../kit
