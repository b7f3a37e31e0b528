// Paging calls engineers and waits for their answer. Await selects on context.Background().Done(), which is nil, and on
// an answer that is filed under another key, so it never comes.
package main

import (
	"bytes"
	"context"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/paging/oncall"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	logger := log.New(log.Writer(), "paging: ", 0)

	rota := oncall.NewRota()
	go rota.Rotate(ctx, 3*time.Second)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /page", func(w http.ResponseWriter, r *http.Request) {
		id := rota.Page(r.FormValue("what"))
		w.Write([]byte(id))
	})
	mux.HandleFunc("POST /ack", func(w http.ResponseWriter, r *http.Request) {
		if !rota.Answer(r.FormValue("id")) {
			w.WriteHeader(http.StatusNotFound)
		}
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		logger.Fatal(err)
	}
	srv := &http.Server{Handler: mux, ErrorLog: logger}
	go srv.Serve(ln)
	go monitor(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	if err := srv.Shutdown(context.WithoutCancel(ctx)); err != nil {
		logger.Print(err)
	}
}

// monitor pages, and answers its own pages after a while.
func monitor(ctx context.Context, base string) {
	for ctx.Err() == nil {
		res, err := http.Post(base+"/page?what=disk", "", nil)
		if err != nil {
			continue
		}
		var id bytes.Buffer
		id.ReadFrom(res.Body)
		res.Body.Close()
		time.AfterFunc(4*time.Second, func() {
			if res, err := http.Post(base+"/ack?id="+id.String(), "", nil); err == nil {
				res.Body.Close()
			}
		})
		time.Sleep(120 * time.Millisecond)
	}
}
