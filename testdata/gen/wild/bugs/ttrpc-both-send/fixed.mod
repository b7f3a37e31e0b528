module wild/ttrpc-both-send

go 1.26

require (
	github.com/containerd/ttrpc v1.1.0
	github.com/gogo/protobuf v1.3.2
	wild/kit v0.0.0
)

require (
	github.com/golang/protobuf v1.5.0 // indirect
	github.com/sirupsen/logrus v1.8.1 // indirect
	golang.org/x/sys v0.0.0-20210124154548-22da62e12c0c // indirect
	google.golang.org/genproto v0.0.0-20200224152610-e50cd9704f63 // indirect
	google.golang.org/grpc v1.27.1 // indirect
	google.golang.org/protobuf v1.27.1 // indirect
)

replace wild/kit => ../../kit
