//go:build !fixed

package main

// upload is a document that was cut off at its end.
func upload() []byte {
	bytes, _ := document()
	return bytes
}
