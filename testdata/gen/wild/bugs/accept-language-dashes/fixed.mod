module wild/accept-language-dashes

go 1.26

require (
	golang.org/x/text v0.3.8
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
