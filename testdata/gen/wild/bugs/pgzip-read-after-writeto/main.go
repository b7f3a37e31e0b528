// Command pgzip-read-after-writeto verifies archives as they arrive.
//
// Report: https://github.com/klauspost/pgzip/issues/39
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/klauspost/pgzip"
	"wild/kit"
)

const workers = 3

// An archive is what arrived.
type archive struct {
	name string
	data []byte
}

// pack makes an archive of some lines.
func pack(name string) (archive, error) {
	var buf bytes.Buffer
	w := pgzip.NewWriter(&buf)
	for i := range 20000 {
		fmt.Fprintf(w, "%s line %d\n", name, i)
	}
	if err := w.Close(); err != nil {
		return archive{}, err
	}
	return archive{name: name, data: buf.Bytes()}, nil
}

// unpack reads an archive and returns its size.
func unpack(r io.Reader) (int64, error) {
	return io.Copy(io.Discard, r)
}

// verify unpacks archives and reports those that are broken or empty.
func verify(archives <-chan archive) {
	for a := range archives {
		r, err := pgzip.NewReader(bytes.NewReader(a.data))
		if err != nil {
			log.Printf("%s: %v", a.name, err)
			continue
		}
		n, err := drain(r)
		if err != nil {
			log.Printf("%s: %v", a.name, err)
		}
		if n == 0 {
			log.Printf("%s is empty", a.name)
		}
		if err := r.Close(); err != nil {
			log.Printf("%s: %v", a.name, err)
		}
	}
}

// receive gets an archive each second. One that finds all workers at work comes again later.
func receive(archives chan<- archive) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 0; ; n++ {
		<-tick.C
		a, err := pack(fmt.Sprintf("archive-%d", n))
		if err != nil {
			log.Print(err)
			continue
		}
		select {
		case archives <- a:
		default:
		}
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	archives := make(chan archive, workers)
	for range workers {
		go verify(archives)
	}
	go receive(archives)
	<-ctx.Done()
}
