module wild/clockwork-block-until

go 1.26

require (
	github.com/jonboulle/clockwork v0.2.2
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
