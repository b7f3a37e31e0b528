// Command main is a small shop whose requests are traced. Its tracing is set up a little later than the rest, once the
// collector has had time to start.
//
// https://github.com/open-telemetry/opentelemetry-go/issues/2682
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"wild/kit"
)

// settle is how long the collector takes to start.
const settle = 3 * time.Second

// A shop sells one thing.
type shop struct {
	name string
}

// setup puts the tracing in force that the program has.
func setup() {
	otel.SetTracerProvider(otel.GetTracerProvider())
}

// ServeHTTP answers with an offer.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, span := otel.Tracer(s.name).Start(r.Context(), "offer")
	defer span.End()
	span.SetAttributes(attribute.String("path", r.URL.Path))
	fmt.Fprintln(w, s.price(ctx))
}

// price looks a price up.
func (s *shop) price(ctx context.Context) int {
	_, span := otel.Tracer(s.name).Start(ctx, "price")
	defer span.End()
	return 10 * len(s.name)
}

// visit plays a customer who looks at the offer again and again.
func visit(url string) {
	for range time.Tick(200 * time.Millisecond) {
		answer, err := http.Get(url)
		if err != nil {
			log.Print(err)
			continue
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, &shop{"lamps"})
	go visit("http://" + listener.Addr().String() + "/offer")

	time.Sleep(settle)
	setup()

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
}
