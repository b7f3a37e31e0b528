// Command auditlog keeps an audit trail; the writer skips a line that is too long, and each request sends its
// line.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"example.com/textbook/first/auditlog-well/trail"
	"example.com/textbook/kit"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	base := "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	var users usersBook
	go users.keep(ctx)
	mux.HandleFunc("/users", users.list)
	rules := openRules(4)
	mux.HandleFunc("/rules", func(http.ResponseWriter, *http.Request) { rules.inbox <- 1 })
	mux.HandleFunc("/reviews", watchReviews)
	for range 3 {
		go followReviews(ctx, base+"/reviews")
	}

	records := trail.New(os.Stderr)
	go records.Write()
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		go records.Append(r.FormValue("user"))
		fmt.Fprintln(w, "welcome")
	})
	go func() {
		for n := 1; ctx.Err() == nil; n++ {
			get(ctx, base+"/login?user="+strings.Repeat("x", n%40))
			time.Sleep(100 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
