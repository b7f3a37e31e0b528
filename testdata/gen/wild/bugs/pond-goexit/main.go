// Command pond-goexit imports files in batches, each batch on a pool of its own.
//
// Report: https://github.com/alitto/pond/pull/136
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/alitto/pond/v2"
	"wild/kit"
)

const workers = 4

// A file is what one task imports.
type file struct {
	name string
	text string
}

// An importer counts what it has imported.
type importer struct {
	rows    atomic.Int64
	skipped atomic.Int64
}

// task imports one file. A file without a header ends the task on the spot: deferred calls still run.
func task(im *importer, f file) {
	in := bufio.NewScanner(strings.NewReader(f.text))
	if !in.Scan() || !strings.HasPrefix(in.Text(), "id,") {
		im.skipped.Add(1)
		runtime.Goexit()
	}
	for in.Scan() {
		time.Sleep(time.Millisecond) // the insert
		im.rows.Add(1)
	}
}

// list returns the files of a batch. In each third batch one has no header.
func list(batch int) []file {
	var files []file
	for i := range 12 {
		header := "id,name\n"
		if batch%3 == 2 && i == 5 {
			header = "\n"
		}
		rows := strings.Repeat("1,a\n", 40)
		files = append(files, file{name: fmt.Sprintf("batch-%d/%02d.csv", batch, i), text: header + rows})
	}
	return files
}

// stop ends the pool of a batch when all its files are imported.
func stop(p pond.Pool) {
	p.StopAndWait()
}

// run imports batch after batch.
func (im *importer) run() {
	for batch := 0; ; batch++ {
		p := pond.NewPool(workers)
		for _, f := range list(batch) {
			p.Submit(func() { task(im, f) })
		}
		stop(p)
		log.Printf("batch %d: %d rows so far, %d files skipped", batch, im.rows.Load(), im.skipped.Load())
		time.Sleep(time.Second)
	}
}

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	im := &importer{}
	go im.run()
	<-ctx.Done()
}
