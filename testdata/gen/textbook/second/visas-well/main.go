// Visas is the counter of a consulate. Package register has two package variables that are locks; Issue and Revoke take
// the index first.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/visas-well/register"
)

type consulate struct {
	applications chan string
	http         http.Server
}

func (c *consulate) routes() *consulate {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /apply", func(w http.ResponseWriter, r *http.Request) {
		select {
		case c.applications <- r.FormValue("name"):
			w.WriteHeader(http.StatusAccepted)
		default:
			http.Error(w, "closed", http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("GET /opening-hours", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "9 to 12") })
	c.http.Handler = mux
	return c
}

// clerk decides about applications.
func (c *consulate) clerk() {
	for name := range c.applications {
		register.Issue(name)
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c := (&consulate{applications: make(chan string, 4)}).routes()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		log.Fatalln("consulate:", err)
	}
	go c.http.Serve(ln)
	for range 3 {
		go c.clerk()
	}
	go police(ctx)
	go applicants(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	c.http.Shutdown(context.Background())
}

// police has visas revoked.
func police(ctx context.Context) {
	t := time.NewTicker(2 * time.Millisecond)
	defer t.Stop()
	for n := 0; ctx.Err() == nil; n++ {
		<-t.C
		register.Revoke(n % 400)
	}
}

func applicants(ctx context.Context, base string) {
	for n := 0; ctx.Err() == nil; n++ {
		res, err := http.PostForm(base+"/apply", map[string][]string{"name": {"applicant " + strconv.Itoa(n%300)}})
		if err == nil {
			res.Body.Close()
		}
		time.Sleep(3 * time.Millisecond)
	}
}
