// Command fasthttp-expect-body takes uploads; some clients ask whether they may send one and never do.
//
// https://github.com/valyala/fasthttp/issues/1834
package main

import (
	"io"
	"log"
	"net"
	"time"

	"github.com/valyala/fasthttp"

	"wild/kit"
)

const ask = "POST /upload HTTP/1.1\r\nHost: uploads\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n"

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go serve(listener)
	var clients []net.Conn
	for range time.Tick(400 * time.Millisecond) {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			log.Fatal(err)
		}
		io.WriteString(conn, ask)
		clients = append(clients, conn)
	}
}

// serve takes uploads.
func serve(listener net.Listener) {
	server := &fasthttp.Server{Handler: upload, ReadTimeout: readTimeout}
	log.Fatal(server.Serve(listener))
}

func upload(ctx *fasthttp.RequestCtx) {
	log.Print(len(ctx.PostBody()), " bytes")
	ctx.SetStatusCode(fasthttp.StatusCreated)
}
