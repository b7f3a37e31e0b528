module wild/jose2go-zip-bomb

go 1.26

require (
	github.com/dvsekhvalnov/jose2go v1.6.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
