// Package tunnels keeps six agents connected by yamux, each with eighty streams that carry nothing for now.
//
// It looks like a leak of goroutines in one select (select-leak, goroutine-pile-up): each stream has a goroutine that
// reads, and who started it has returned. Every stream belongs to a port that an agent forwards; their number is fixed.
package tunnels

import (
	"io"
	"net"
	"time"

	"example.com/services/kit"
	"github.com/hashicorp/yamux"
)

const agents, ports = 6, 80

// serve answers what comes in on the streams of an agent.
func serve(conn net.Conn) {
	session, err := yamux.Server(conn, nil)
	if err != nil {
		return
	}
	for {
		stream, err := session.Accept()
		if err != nil {
			return
		}
		go forward(stream)
	}
}

func forward(stream net.Conn) {
	defer stream.Close()
	io.Copy(stream, stream)
}

// A port is a forwarded port: what comes back on it is counted.
type port struct {
	stream net.Conn
	bytes  int
}

func (p *port) receive() {
	buffer := make([]byte, 512)
	for {
		n, err := p.stream.Read(buffer)
		if err != nil {
			return
		}
		p.bytes += n
	}
}

func connect(addr string) []*port {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		panic(err)
	}
	session, err := yamux.Client(conn, nil)
	if err != nil {
		panic(err)
	}
	var all []*port
	for range ports {
		stream, err := session.Open()
		if err != nil {
			panic(err)
		}
		p := &port{stream: stream}
		go p.receive()
		all = append(all, p)
	}
	return all
}

// Main starts both ends.
func Main() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	var all []*port
	for range agents {
		all = append(all, connect(l.Addr().String())...)
	}
	go func() {
		for i := 0; ; i++ {
			time.Sleep(20 * time.Second)
			all[i%len(all)].stream.Write([]byte("ping"))
		}
	}()
	kit.Wait()
}
