module wild/channels-undrained

go 1.26

require (
	github.com/eapache/channels v1.1.0
	wild/kit v0.0.0
)

require github.com/eapache/queue v1.1.0 // indirect

replace wild/kit => ../../kit
