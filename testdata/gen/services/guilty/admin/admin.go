// Package admin lets an operator end the service by a request.
package admin

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"example.com/services/kit"
)

type Admin struct{ server *http.Server }

func (a *Admin) quit(w http.ResponseWriter, _ *http.Request) {
	if err := a.server.Shutdown(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Fprintln(w, "bye")
}

func Main() {
	kit.Start()
	a := &Admin{server: &http.Server{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/quit", a.quit)
	a.server.Handler = mux
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go a.server.Serve(l)
	time.Sleep(time.Second)
	go kit.Get("http://" + l.Addr().String() + "/quit")
	kit.Wait()
}
