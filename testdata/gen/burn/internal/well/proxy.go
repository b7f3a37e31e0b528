package well

import (
	"context"
	"io"
	"net"
	"strings"

	"example.com/fixtures/burn/run"
)

// startProxy copies between a client and a server in another process.
func startProxy(s *run.Service) error {
	addr, err := s.Peer("zeros")
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.Go(func(ctx context.Context) {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go forward(conn, addr)
		}
	})
	if _, err := s.Peer("reader:" + l.Addr().String()); err != nil {
		return err
	}
	s.Go(run.Background)
	return nil
}

// forward passes on what the other end sends. The wrapper keeps the kernel from doing it alone.
func forward(conn net.Conn, addr string) {
	defer conn.Close()
	up, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer up.Close()
	buffer := make([]byte, 32<<10)
	io.CopyBuffer(struct{ io.Writer }{conn}, struct{ io.Reader }{up}, buffer)
}

// Peers are the other ends.
func Peers(name string) map[string]run.Peer {
	peers := map[string]run.Peer{"zeros": serveZeros}
	if addr := strings.TrimPrefix(name, "reader:"); addr != name {
		peers[name] = func(net.Listener) error { return readAll(addr) }
	}
	return peers
}

func serveZeros(l net.Listener) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			block := make([]byte, 64<<10)
			for {
				if _, err := conn.Write(block); err != nil {
					return
				}
			}
		}()
	}
}

func readAll(addr string) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{conn}, make([]byte, 64<<10))
	return err
}
