module wild/zap-syncer-stop

go 1.26

require (
	go.uber.org/zap v1.27.0
	wild/kit v0.0.0
)

require go.uber.org/multierr v1.10.0 // indirect

replace wild/kit => ../../kit
