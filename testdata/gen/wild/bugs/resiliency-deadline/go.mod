module wild/resiliency-deadline

go 1.26

require (
	github.com/eapache/go-resiliency v1.1.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
