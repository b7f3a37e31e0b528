// Command otelhttp-method-attribute is a catalogue whose handlers are instrumented with OpenTelemetry; a page of statistics
// collects the metrics when an operator asks. A fuzzer on the network tries methods of its own invention.
//
// https://github.com/open-telemetry/opentelemetry-go-contrib/pull/4277
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"wild/kit"
)

// A product is one entry of the catalogue.
type product struct {
	ID    int     `json:"id"`
	Name  string  `json:"name"`
	Price float64 `json:"price"`
}

var products = []product{{1, "lamp", 39.9}, {2, "table", 249}, {3, "chair", 89.5}}

// list answers with the catalogue.
func list(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(products)
}

// serve instruments a handler and limits what clients may send.
func serve(name string, next http.HandlerFunc) http.HandlerFunc {
	instrumented := otelhttp.NewHandler(next, name)
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
		instrumented.ServeHTTP(w, r)
	}
}

// statistics collects the metrics and answers with their names.
func statistics(reader metric.Reader) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var all metricdata.ResourceMetrics
		if err := reader.Collect(r.Context(), &all); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		for _, scope := range all.ScopeMetrics {
			for _, m := range scope.Metrics {
				fmt.Fprintln(w, m.Name)
			}
		}
	}
}

// fuzz asks with the methods M0, M1 and so on: in bursts, ten in a second, great ones for the first 200.
func fuzz(url string) {
	client := &http.Client{Timeout: 10 * time.Second}
	asked, bursts := 0, 0
	for range time.Tick(100 * time.Millisecond) {
		n := 250
		if bursts++; bursts > 200 {
			n = 25
		}
		for i := 0; i < n; i++ {
			if err := ask(client, fmt.Sprintf("M%d", asked), url); err != nil {
				log.Print(err)
			}
			asked++
		}
	}
}

// ask sends one request.
func ask(client *http.Client, method, url string) error {
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

func main() {
	kit.Serve()
	reader := metric.NewManualReader()
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(reader)))
	mux := http.NewServeMux()
	mux.HandleFunc("/products", serve("products", list))
	mux.HandleFunc("/statistics", statistics(reader))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	go fuzz("http://" + listener.Addr().String() + "/products")

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
