module wild/gomock-stringer

go 1.26

require (
	go.uber.org/mock v0.5.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
