module wild/pond-goexit

go 1.26

require (
	github.com/alitto/pond/v2 v2.6.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
