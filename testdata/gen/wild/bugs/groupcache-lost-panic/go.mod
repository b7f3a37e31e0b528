module wild/groupcache-lost-panic

go 1.26

require (
	github.com/mailgun/groupcache/v2 v2.3.0
	wild/kit v0.0.0
)

require (
	github.com/golang/protobuf v1.3.1 // indirect
	github.com/konsorten/go-windows-terminal-sequences v1.0.3 // indirect
	github.com/segmentio/fasthash v1.0.3 // indirect
	github.com/sirupsen/logrus v1.6.0 // indirect
	golang.org/x/sys v0.0.0-20190422165155-953cdadca894 // indirect
)

replace wild/kit => ../../kit
