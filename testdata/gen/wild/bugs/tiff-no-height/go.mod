module wild/tiff-no-height

go 1.24

require (
	golang.org/x/image v0.9.0
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
