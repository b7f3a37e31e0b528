// Command sessions keeps sessions in a map; Sweep ranges over it while Touch writes, and only Touch has the
// lock.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/first/sessions/login"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	base := "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	var roles rolesBook
	go roles.keep(ctx)
	mux.HandleFunc("/roles", roles.list)
	logins := make(chan string, 16)
	for range 3 {
		go handleLogins(ctx, logins)
	}
	go countLogins(logins)
	mux.HandleFunc("/logins", func(_ http.ResponseWriter, r *http.Request) { logins <- r.FormValue("name") })
	mux.HandleFunc("/signups", watchSignups)
	for range 3 {
		go followSignups(ctx, base+"/signups")
	}

	sessions := login.New()
	go func() {
		for ctx.Err() == nil {
			sessions.Sweep(time.Minute)
			time.Sleep(time.Millisecond)
		}
	}()
	for i := range 3 {
		go func() {
			for n := i; ctx.Err() == nil; n += 3 {
				sessions.Touch(n % 5000)
				if n%20 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
