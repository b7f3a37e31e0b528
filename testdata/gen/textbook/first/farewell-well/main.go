// Command farewell shuts one server after the other down; a request streams for four seconds, and Shutdown
// waits for it.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"example.com/textbook/kit"
)

func stream(w http.ResponseWriter, r *http.Request) {
	for range 8 {
		fmt.Fprintln(w, time.Now())
		w.(http.Flusher).Flush()
		time.Sleep(500 * time.Millisecond)
	}
}

func listen(url string) {
	answer, err := http.Get(url)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body)
}

func main() {
	kit.Start()
	for {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		server := &http.Server{Handler: http.HandlerFunc(stream)}
		go server.Serve(l)
		go listen("http://" + l.Addr().String())
		time.Sleep(time.Second)
		fmt.Println(server.Shutdown(context.Background()))
	}
}
