module wild/xz-uvarint

go 1.26

require (
	github.com/ulikunitz/xz v0.5.7
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
