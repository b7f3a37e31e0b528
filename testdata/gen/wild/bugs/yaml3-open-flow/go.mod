module wild/yaml3-open-flow

go 1.26

require (
	gopkg.in/yaml.v3 v3.0.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
