module wild/yaml-flow-keys

go 1.26

require (
	gopkg.in/yaml.v2 v2.2.8
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
