module wild/ringbuffer-readfrom

go 1.26

require (
	github.com/smallnest/ringbuffer v0.1.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
