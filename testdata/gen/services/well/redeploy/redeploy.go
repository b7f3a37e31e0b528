// Package redeploy ends a server and starts the next one; the last request takes its time.
package redeploy

import (
	"context"
	"net"
	"net/http"
	"time"

	"example.com/services/kit"
)

func serve() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		time.Sleep(25 * time.Second)
	})}
	go s.Serve(l)
	client := &http.Client{}
	go func() {
		if answer, err := client.Get("http://" + l.Addr().String()); err == nil {
			answer.Body.Close()
		}
	}()
	time.Sleep(time.Second)
	s.Shutdown(context.Background())
	client.CloseIdleConnections()
}

func Main() {
	kit.Start()
	for {
		serve()
	}
}
