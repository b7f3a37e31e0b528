module wild/healthcheck-late

go 1.26

require (
	github.com/etherlabsio/healthcheck/v2 v2.0.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
