module wild/ssh-short-ed25519-key

go 1.26

require (
	golang.org/x/crypto v0.0.0-20200219234226-1ad67e1f0ef4
	wild/kit v0.0.0
)

require golang.org/x/sys v0.0.0-20190412213103-97732733099d // indirect

replace wild/kit => ../../kit
