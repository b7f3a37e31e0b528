//go:build fixed

package main

import "fmt"

// upload is a whole document.
func upload() []byte {
	bytes, table := document()
	return fmt.Appendf(bytes, "startxref\n%d\n%%%%EOF\n", table)
}
