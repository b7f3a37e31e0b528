module wild/tomb-wait

go 1.26.0

require (
	gopkg.in/tomb.v2 v2.0.0-20161208151619-d5d1b5820637
	wild/kit v0.0.0
)

require golang.org/x/net v0.62.0 // indirect

replace wild/kit => ../../kit
