module wild/goversioninfo-ids

go 1.26

require (
	github.com/josephspurrier/goversioninfo v1.4.0
	wild/kit v0.0.0
)

require github.com/akavel/rsrc v0.10.2 // indirect

replace wild/kit => ../../kit
