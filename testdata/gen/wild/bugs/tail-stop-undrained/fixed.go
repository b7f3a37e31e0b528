//go:build fixed

package main

import (
	"fmt"
	"io"
	"log"
	"net"

	"github.com/hpcloud/tail"
)

// ship sends the lines while there is a collector, and reads them in any case.
func ship(t *tail.Tail) {
	out := io.Discard
	conn, err := net.Dial("tcp", collector)
	if err != nil {
		log.Printf("nothing is shipped: %v", err)
	} else {
		defer conn.Close()
		out = conn
	}
	for line := range t.Lines {
		fmt.Fprintln(out, line.Text)
		shipped.Add(1)
	}
}
