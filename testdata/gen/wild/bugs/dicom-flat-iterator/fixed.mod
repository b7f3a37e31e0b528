module wild/dicom-flat-iterator

go 1.26

require (
	github.com/suyashkumar/dicom v1.0.0
	wild/kit v0.0.0
)

require golang.org/x/text v0.3.0 // indirect

replace wild/kit => ../../kit
