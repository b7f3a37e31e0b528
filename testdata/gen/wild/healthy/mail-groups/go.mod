module wild/mail-groups

go 1.20

require (
	golang.org/x/sync v0.1.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
