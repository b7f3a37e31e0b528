// Command zstd-reader-open reads the heads of uploads.
//
// https://github.com/klauspost/compress/issues/441
package main

import (
	"bytes"
	"io"
	"log"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"

	"wild/kit"
)

var uploads atomic.Int64

func main() {
	kit.Serve()
	body, err := upload()
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for range time.Tick(500 * time.Millisecond) {
			if _, err := head(bytes.NewReader(body)); err != nil {
				log.Print(err)
			}
			uploads.Add(1)
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(uploads.Load(), " uploads")
	}
}

// upload is a megabyte, compressed.
func upload() ([]byte, error) {
	plain := make([]byte, 1<<20)
	for i := range plain {
		plain[i] = byte('a' + rand.IntN(16))
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithWindowSize(1<<16))
	if err != nil {
		return nil, err
	}
	defer encoder.Close()
	return encoder.EncodeAll(plain, nil), nil
}

// first reads the first bytes.
func first(r io.Reader) ([]byte, error) {
	b := make([]byte, 64)
	_, err := io.ReadFull(r, b)
	return b, err
}
