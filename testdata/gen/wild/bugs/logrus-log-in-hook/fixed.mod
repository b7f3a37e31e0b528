module wild/logrus-log-in-hook

go 1.26

require (
	github.com/sirupsen/logrus v1.9.3
	wild/kit v0.0.0
)

require golang.org/x/sys v0.0.0-20220715151400-c0bba94af5f8 // indirect

replace wild/kit => ../../kit
