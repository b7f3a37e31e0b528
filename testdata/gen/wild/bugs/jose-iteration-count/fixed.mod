module wild/jose-iteration-count

go 1.24

require (
	github.com/go-jose/go-jose/v3 v3.0.1
	wild/kit v0.0.0
)

require golang.org/x/crypto v0.0.0-20190911031432-227b76d455e7 // indirect

replace wild/kit => ../../kit
