package main

import (
	"bufio"
	"fmt"
	"net"
	"time"

	"example.com/well/sibling"
)

// invite connects all members; one of thirty talks, in five of the ten rooms.
func invite(addr string) error {
	for i := 0; i < members; i++ {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return fmt.Errorf("connecting member %d: %w", i, err)
		}
		if _, err := fmt.Fprintf(conn, "room %d\n", i%rooms); err != nil {
			return fmt.Errorf("joining as member %d: %w", i, err)
		}
		go listen(conn)
		if i < rooms && i%2 == 0 {
			go talk(conn, time.Duration(200+40*i)*time.Millisecond)
		}
	}
	sibling.Work()
	return nil
}

func listen(conn net.Conn) {
	defer conn.Close()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
	}
}

func talk(conn net.Conn, pause time.Duration) {
	for n := 0; ; n++ {
		if _, err := fmt.Fprintf(conn, "remark %d\n", n); err != nil {
			return
		}
		time.Sleep(pause)
	}
}
