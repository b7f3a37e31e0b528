module wild/clockwork-block-until

go 1.26

require (
	github.com/jonboulle/clockwork v0.3.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
