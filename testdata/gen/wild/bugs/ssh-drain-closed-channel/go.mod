module wild/ssh-drain-closed-channel

go 1.26

require (
	golang.org/x/crypto v0.52.0
	wild/kit v0.0.0
)

require golang.org/x/sys v0.45.0 // indirect

replace wild/kit => ../../kit
