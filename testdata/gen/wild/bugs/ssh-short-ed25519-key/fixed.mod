module wild/ssh-short-ed25519-key

go 1.26

require (
	golang.org/x/crypto v0.0.0-20200220183623-bac4c82f6975
	wild/kit v0.0.0
)

require golang.org/x/sys v0.0.0-20190412213103-97732733099d // indirect

replace wild/kit => ../../kit
