package mux

import (
	"encoding/gob"
	"net"
	"time"
)

// Serve answers calls until l is closed.
func Serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go serve(conn)
	}
}

func serve(conn net.Conn) {
	answers := make(chan answer, 16)
	go func() {
		enc := gob.NewEncoder(conn)
		for a := range answers {
			if err := enc.Encode(a); err != nil {
				return
			}
		}
	}()
	for dec := gob.NewDecoder(conn); ; {
		var c call
		if err := dec.Decode(&c); err != nil {
			return
		}
		time.AfterFunc(c.Work, func() { answers <- answer{c.ID} })
	}
}
