module wild/grequests-unclosed

go 1.26

require (
	github.com/levigross/grequests v0.0.0-20221222020224-9eee758d18d5
	wild/kit v0.0.0
)

require (
	github.com/google/go-querystring v1.0.0 // indirect
	golang.org/x/net v0.0.0-20181011144130-49bb7cea24b1 // indirect
)

replace wild/kit => ../../kit
