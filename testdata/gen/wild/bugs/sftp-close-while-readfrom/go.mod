module wild/sftp-close-while-readfrom

go 1.26

require (
	github.com/pkg/sftp v1.13.7
	wild/kit v0.0.0
)

require (
	github.com/kr/fs v0.1.0 // indirect
	golang.org/x/crypto v0.17.0 // indirect
	golang.org/x/sys v0.15.0 // indirect
)

replace wild/kit => ../../kit
