module wild/fsm-event-in-after

go 1.26

require (
	github.com/looplab/fsm v1.0.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
