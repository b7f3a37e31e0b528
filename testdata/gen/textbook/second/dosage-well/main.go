// Dosage prepares medicine for the rounds of a hospital. Find returns nil for a patient who isn't in the book, and give
// says so.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/dosage-well/chart"
	"example.com/textbook/second/dosage-well/pharm"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	book := chart.NewBook()
	for _, p := range []string{"Ada", "Grace", "Edsger", "Barbara"} {
		book.Write(p, chart.Chart{Drug: "ibuprofen", MilligramsPerDay: 800})
	}
	calls := make(chan string, 10)
	day := pharm.Round{Name: "day", Book: book}
	go day.Walk(ctx, calls)
	go book.Review(ctx, 500*time.Millisecond)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: bell(calls)}
	go srv.Serve(ln)
	go beds(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

// bell is what patients ring.
func bell(calls chan<- string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /ring", func(w http.ResponseWriter, r *http.Request) {
		select {
		case calls <- r.FormValue("patient"):
			w.WriteHeader(http.StatusAccepted)
		case <-r.Context().Done():
		}
	})
	return mux
}

// beds ring. Donald came in last night and has no chart yet.
func beds(ctx context.Context, base string) {
	for n := 0; ctx.Err() == nil; n++ {
		p := []string{"Ada", "Grace", "Barbara", "Edsger"}[n%4]
		if n == 12 {
			p = "Donald"
		}
		if res, err := http.Post(base+"/ring?patient="+p, "", nil); err == nil {
			res.Body.Close()
		}
		time.Sleep(80 * time.Millisecond)
	}
}
