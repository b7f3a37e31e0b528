module wild/logrus-log-in-hook

go 1.26

require (
	github.com/sirupsen/logrus v1.4.2
	wild/kit v0.0.0
)

require (
	github.com/konsorten/go-windows-terminal-sequences v1.0.1 // indirect
	golang.org/x/sys v0.0.0-20190422165155-953cdadca894 // indirect
)

replace wild/kit => ../../kit
