module wild/execfunc-unbuffered

go 1.26

require (
	github.com/projectdiscovery/utils v0.4.12
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
