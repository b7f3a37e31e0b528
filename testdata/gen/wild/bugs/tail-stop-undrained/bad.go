//go:build !fixed

package main

import (
	"fmt"
	"log"
	"net"

	"github.com/hpcloud/tail"
)

// ship sends the lines while there is a collector.
func ship(t *tail.Tail) {
	conn, err := net.Dial("tcp", collector)
	if err != nil {
		log.Printf("nothing is shipped: %v", err)
		return
	}
	defer conn.Close()
	for line := range t.Lines {
		fmt.Fprintln(conn, line.Text)
		shipped.Add(1)
	}
}
