module wild/pgzip-read-after-writeto

go 1.26

require (
	github.com/klauspost/pgzip v1.2.6
	wild/kit v0.0.0
)

require github.com/klauspost/compress v1.20.3 // indirect

replace wild/kit => ../../kit
