// live heap at its peak, by repeated collections
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage"
)

func main() {
	runtime.MemProfileRate = 8192
	var best uint64
	var prof []byte
	done := make(chan bool)
	end := make(chan bool)
	start := time.Now()
	go func() {
		for {
			select {
			case <-done:
				close(end)
				return
			case <-time.After(150 * time.Millisecond):
			}
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			fmt.Fprintf(os.Stderr, "%.1fs live %d MB inuse %d sys %d stacks %d\n", time.Since(start).Seconds(), m.HeapAlloc>>20, m.HeapInuse>>20, m.Sys>>20, m.StackInuse>>20)
			if m.HeapAlloc > best {
				best = m.HeapAlloc
				var b bytes.Buffer
				pprof.Lookup("heap").WriteTo(&b, 0)
				prof = b.Bytes()
			}
		}
	}()
	r, err := triage.Run(context.Background(), triage.Options{Inputs: os.Args[2:]})
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "run done", time.Since(start))
	report.Text(io.Discard, r, report.TextOptions{})
	if f, err := os.Create("/tmp/w/mem/end.pb"); err == nil {
		runtime.GC()
		runtime.GC()
		pprof.Lookup("heap").WriteTo(f, 0)
		f.Close()
	}
	fmt.Fprintln(os.Stderr, len(r.Dumps))
	close(done)
	<-end
	os.WriteFile(os.Args[1], prof, 0o644)
}
