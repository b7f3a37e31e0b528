module wild/jsonparser-delete

go 1.26

require (
	github.com/buger/jsonparser v0.0.0-20191204142016-1a29609e0929
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
