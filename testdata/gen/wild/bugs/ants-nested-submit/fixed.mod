module wild/ants-nested-submit

go 1.26

require (
	github.com/panjf2000/ants/v2 v2.4.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
