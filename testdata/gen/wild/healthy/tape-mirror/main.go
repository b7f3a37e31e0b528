// Command tape-mirror copies what a tape gives to the sum of it: records are short, and a gap between two gives nothing.
package main

import (
	"hash/fnv"
	"io"
	"log"

	"wild/kit"
)

// A tape gives one record at a time.
type tape struct {
	at, records int
}

// Read gives the next record. Each fourth place is a gap.
func (t *tape) Read(p []byte) (int, error) {
	if t.at++; t.at > t.records {
		return 0, io.EOF
	}
	if t.at%4 == 0 {
		return 0, nil
	}
	n := min(16+t.at%48, len(p))
	for i := range p[:n] {
		p[i] = byte(t.at + i)
	}
	return n, nil
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func main() {
	kit.Serve()
	for {
		sum := fnv.New64a()
		if _, err := io.Copy(sum, &tape{records: 5_000_000}); err != nil {
			log.Fatal(err)
		}
	}
}
