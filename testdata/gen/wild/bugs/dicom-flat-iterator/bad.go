//go:build !fixed

package main

import "github.com/suyashkumar/dicom"

// first returns the first element of a data set, which is the date in this archive.
func first(d *dicom.Dataset) (element *dicom.Element) {
	for element = range d.FlatIterator() {
		break
	}
	return element
}
