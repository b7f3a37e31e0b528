//go:build fixed

package main

import "github.com/suyashkumar/dicom"

// first returns the first element of a data set, which is the date in this archive. It reads the channel to its end, as
// FlatIterator expects it.
func first(d *dicom.Dataset) (element *dicom.Element) {
	for e := range d.FlatIterator() {
		if element == nil {
			element = e
		}
	}
	return element
}
