//go:build !fixed

package main

import (
	"fmt"
	"io"

	"github.com/klauspost/pgzip"
)

// drain reads an archive to its end, and makes sure that nothing follows.
func drain(r *pgzip.Reader) (int64, error) {
	n, err := unpack(r)
	if err != nil {
		return n, err
	}
	rest, err := io.ReadAll(r)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes follow", len(rest))
	}
	return n, err
}
