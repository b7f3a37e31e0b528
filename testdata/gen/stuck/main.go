// Command stuck is a daemon in which something waits for ever, in the way that its argument names, while the rest of it
// goes on: an HTTP server, a logger, tickers, and in half of the kinds worker pools, queues and idle clients too. Each
// kind lives in a package of its own below internal. It is stopped by a signal.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"example.com/fixtures/stuck/internal/daemon"
	"example.com/fixtures/stuck/internal/settle"
)

func main() {
	profiles := flag.String("profiles", "", "folder for a debug=2 dump")
	flag.Parse()
	k, ok := find(flag.Arg(0))
	if !ok {
		fmt.Fprintln(os.Stderr, "usage: stuck [-profiles DIR] KIND")
		os.Exit(2)
	}
	time.AfterFunc(40*time.Second, func() { os.Exit(3) })
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	d, err := daemon.Listen()
	if err != nil {
		fmt.Fprintln(os.Stderr, "stuck: starting:", err)
		os.Exit(1)
	}
	d.StartFew()
	if k.busy {
		d.StartMany()
	}
	k.start()
	dump := ""
	if *profiles != "" {
		dump = filepath.Join(*profiles, "stuck2-"+k.name+"-debug2.txt")
	}
	go settle.Watch(k.shows, dump)
	<-stop
	d.Stop()
}
