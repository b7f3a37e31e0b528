module wild/lumberjack-mill

go 1.26

require (
	gopkg.in/natefinch/lumberjack.v2 v2.2.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
