module wild/jwt-split-dots

go 1.24

require (
	github.com/golang-jwt/jwt/v5 v5.2.1
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
