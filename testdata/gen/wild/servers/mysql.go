package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"time"
)

// mysql inserts and joins in the example that comes with the server, which listens on its own port.
func mysql(ctx context.Context, l *lab) error {
	const address = "127.0.0.1:3306"
	if err := l.serve(); err != nil {
		return err
	}
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	for worker := range 8 {
		c, err := conn(ctx, "tcp", address)
		if err != nil {
			return err
		}
		l.wg.Go(func() { mysqlClient(ctx, c, worker) })
	}
	return nil
}

// mysqlClient says hello as root without a password, and asks until the context ends.
func mysqlClient(ctx context.Context, c net.Conn, worker int) {
	r := bufio.NewReader(c)
	if _, err := mysqlPacket(r); err != nil {
		return
	}
	// protocol 41, secure connection, with a database
	hello := "\x08\x82\x00\x00\x00\x00\x00\x01\x21" + string(make([]byte, 23)) + "root\x00\x00mydb\x00"
	mysqlSend(c, 1, hello)
	if _, err := mysqlPacket(r); err != nil {
		return
	}
	for i := 0; wait(ctx, 100*time.Millisecond); i++ {
		query := fmt.Sprintf("INSERT INTO mytable VALUES ('n%d-%d', 'e%d@lab.test', '[]', '2024-01-01 00:00:00')", worker, i, i)
		if i%2 == 1 {
			query = "SELECT a.name, b.email FROM mytable a JOIN mytable b ON a.name = b.name ORDER BY a.name LIMIT 20"
		}
		mysqlSend(c, 0, "\x03"+query)
		// An answer ends with its second end-of-file packet, or is one packet.
		for ends, n := 0, 0; ends < 2; n++ {
			p, err := mysqlPacket(r)
			if err != nil {
				return
			}
			if n == 0 && (p[0] == 0 || p[0] == 0xff) {
				break
			}
			if p[0] == 0xfe && len(p) < 9 {
				ends++
			}
		}
	}
}

func mysqlSend(c net.Conn, sequence byte, body string) {
	n := len(body)
	io.WriteString(c, string([]byte{byte(n), byte(n >> 8), byte(n >> 16), sequence})+body)
}

func mysqlPacket(r *bufio.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	body := make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	if len(body) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return body, nil
}
