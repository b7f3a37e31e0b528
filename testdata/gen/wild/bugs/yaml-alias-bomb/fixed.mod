module wild/yaml-alias-bomb

go 1.24

require (
	gopkg.in/yaml.v2 v2.2.3
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
