// Command promhttp-method-label is a small API that measures its requests by method and status. A scanner on the network
// asks it with methods of its own invention.
//
// https://github.com/prometheus/client_golang/pull/962
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"wild/kit"
)

// greet is the API.
func greet(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	fmt.Fprintln(w, "hello")
}

// serve wraps a handler so that its answers name the server and are measured.
func serve(registry prometheus.Registerer, next http.Handler) http.HandlerFunc {
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "api_request_duration_seconds",
		Help: "How long requests took.",
	}, []string{"method", "code"})
	registry.MustRegister(durations)
	measured := promhttp.InstrumentHandlerDuration(durations, next)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "api/1.4")
		measured.ServeHTTP(w, r)
	}
}

// A scanner asks with the methods M0, M1 and so on.
type scanner struct {
	client *http.Client
	url    string
	asked  int
}

// scan asks for n methods.
func (s *scanner) scan(n int) error {
	for i := 0; i < n; i++ {
		request, err := http.NewRequest(fmt.Sprintf("M%d", s.asked), s.url, nil)
		if err != nil {
			return err
		}
		response, err := s.client.Do(request)
		if err != nil {
			return err
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		s.asked++
	}
	return nil
}

// work scans in bursts, ten in a second: great ones for the first 200, small ones from then on.
func (s *scanner) work() {
	bursts := 0
	for range time.Tick(100 * time.Millisecond) {
		n := 300
		if bursts++; bursts > 200 {
			n = 30
		}
		if err := s.scan(n); err != nil {
			log.Print(err)
		}
	}
}

func main() {
	kit.Serve()
	registry := prometheus.NewRegistry()
	mux := http.NewServeMux()
	mux.HandleFunc("/", serve(registry, http.HandlerFunc(greet)))
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	s := &scanner{client: &http.Client{Timeout: 10 * time.Second}, url: "http://" + listener.Addr().String() + "/"}
	go s.work()

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
