// Package kit is what every program of this module has besides its own work: the pprof port, some other work, idle
// goroutines, and the word to the driver which load it wants.
package kit

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net"
	"net/http"
	_ "net/http/pprof" // the port that a server would have
	"os"
	"os/signal"
	"sort"
	"syscall"
	"time"
)

// Start opens the pprof port of BUSY_ADDR and starts what a service does besides: metrics, a report each second, a
// watcher of its configuration.
func Start() {
	listener, err := net.Listen("tcp", os.Getenv("BUSY_ADDR"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "kit:", err)
		os.Exit(1)
	}
	go http.Serve(listener, nil)
	go flushMetrics()
	go watchConfig()
}

type sample struct {
	Name  string    `json:"name"`
	Value float64   `json:"value"`
	At    time.Time `json:"at"`
}

// flushMetrics encodes the last samples now and then: some hundredth of a CPU.
func flushMetrics() {
	tick := time.NewTicker(50 * time.Millisecond)
	var recent []float64
	for n := 0; ; n++ {
		<-tick.C
		recent = append(recent, float64(n%97))
		if len(recent) > 512 {
			recent = recent[256:]
		}
		sorted := append([]float64(nil), recent...)
		sort.Float64s(sorted)
		data, _ := json.Marshal(sample{"p50", sorted[len(sorted)/2], time.Now()})
		_ = crc32.ChecksumIEEE(data)
	}
}

func watchConfig() {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGHUP)
	for range changed {
	}
}

// Wait blocks as the main of a server does, until it is interrupted.
func Wait() {
	end := make(chan os.Signal, 1)
	signal.Notify(end, os.Interrupt, syscall.SIGTERM)
	<-end
}

// Listen serves a handler on a port of its own and asks for load: so many clients, each with a pause between two
// requests. A body of more than 0 bytes is posted.
func Listen(h http.Handler, path string, clients int, pause time.Duration, body int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "kit:", err)
		os.Exit(1)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	fmt.Printf("load http://%s%s %d %d %d\n", listener.Addr(), path, clients, pause.Milliseconds(), body)
}

// Words is a text of n words of a small vocabulary, the same each time.
func Words(n int) []byte {
	words := []string{
		"order", "invoice", "customer", "shipped", "pending", "total", "warehouse", "carrier", "line", "rate",
	}
	var text []byte
	x := uint32(7)
	for range n {
		x = x*1664525 + 1013904223
		text = append(append(text, words[x>>16%10]...), ' ')
	}
	return text
}
