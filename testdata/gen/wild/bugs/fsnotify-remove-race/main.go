// Command main follows the files of an inbox: each is watched while it is written and forgotten once it is read.
//
// https://github.com/fsnotify/fsnotify/pull/650
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"wild/kit"
)

const (
	settle = 2 * time.Second       // until the first file is there
	batch  = 200                   // files that come at once
	rest   = 50 * time.Millisecond // between two batches
)

// counts are what the program has seen.
type counts struct {
	files, events atomic.Int64
}

// churn takes files one after the other: a new one is watched, then read and removed. Its watch is ended beside that.
func churn(w *fsnotify.Watcher, inbox string, seen *counts) error {
	for i := 0; ; i++ {
		name := filepath.Join(inbox, fmt.Sprintf("order-%04d", i%1000))
		if err := os.WriteFile(name, []byte("one lamp\n"), 0o600); err != nil {
			return err
		}
		if err := w.Add(name); err != nil {
			return err
		}
		go w.Remove(name)
		if err := os.Remove(name); err != nil {
			return err
		}
		seen.files.Add(1)
		if i%batch == batch-1 {
			time.Sleep(rest)
		}
	}
}

// follow takes what the watcher reports.
func follow(w *fsnotify.Watcher, seen *counts) {
	for {
		select {
		case _, ok := <-w.Events:
			if !ok {
				return
			}
			seen.events.Add(1)
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			// A file that is gone needs no watch.
			if !errors.Is(err, fsnotify.ErrNonExistentWatch) {
				log.Print(err)
			}
		}
	}
}

// report says now and then how much has been seen.
func report(seen *counts) {
	for range time.Tick(30 * time.Second) {
		log.Print(seen.files.Load(), " files, ", seen.events.Load(), " events")
	}
}

func main() {
	kit.Serve()
	inbox, err := os.MkdirTemp(".", "inbox")
	if err != nil {
		log.Fatal(err)
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		log.Fatal(err)
	}
	var seen counts
	go follow(w, &seen)
	go report(&seen)
	go func() {
		time.Sleep(settle)
		log.Print("inbox: ", churn(w, inbox, &seen))
	}()

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	w.Close()
	os.RemoveAll(inbox)
}
