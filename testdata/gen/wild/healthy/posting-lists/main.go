// Command posting-lists searches an index: where a word occurs is a list of differences, each a number of variable
// length.
package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"log"

	"wild/kit"
)

// list makes the list of a word that occurs in many documents.
func list(step uint64) []byte {
	var b []byte
	for doc := uint64(0); doc < 2_000_000; doc += step {
		b = binary.AppendUvarint(b, step+doc%300)
	}
	return b
}

// sum reads a list to its end.
func sum(packed []byte) (uint64, error) {
	r := bytes.NewReader(packed)
	last := uint64(0)
	for {
		d, err := binary.ReadUvarint(r)
		if err == io.EOF {
			return last, nil
		}
		if err != nil {
			return 0, err
		}
		last += d
	}
}

func main() {
	kit.Serve()
	lists := [][]byte{list(1), list(2), list(3)}
	for n := 0; ; n++ {
		if _, err := sum(lists[n%len(lists)]); err != nil {
			log.Fatal(err)
		}
	}
}
