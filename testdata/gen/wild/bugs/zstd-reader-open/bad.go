//go:build !fixed

package main

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// head is what an upload begins with.
func head(upload io.Reader) ([]byte, error) {
	decoder, err := zstd.NewReader(upload)
	if err != nil {
		return nil, err
	}
	return first(decoder)
}
