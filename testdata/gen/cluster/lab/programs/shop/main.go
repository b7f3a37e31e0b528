// Command shop is the containers of the test of `kubectl triage`. The first argument names what it does. It serves its
// profiles at PPROF_ADDRESS, as every program of the lab does.
package main

import (
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof" // served at PPROF_ADDRESS
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

var actions = map[string]func(){"crash": crash, "crash-once": crashOnce, "spin": spin, "serve": func() {}}

func main() {
	action := actions[os.Args[min(1, len(os.Args)-1)]]
	if action == nil {
		fmt.Fprintln(os.Stderr, "usage: shop crash|crash-once|spin|serve")
		os.Exit(2)
	}
	go func() { log.Print(http.ListenAndServe(os.Getenv("PPROF_ADDRESS"), nil)) }()
	log.Print("started")
	action()
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	<-term
}

// A queue has no first order until something fills it.
type queue struct{ first *order }

type order struct{ id int }

// take returns the id of the first order. It does not check that there is one.
func (q *queue) take() int { return q.first.id }

func crash() {
	time.Sleep(time.Second)
	log.Print(new(queue).take())
}

// crashOnce crashes if the container was not started before.
func crashOnce() {
	mark := filepath.Join(os.Getenv("LAB_ROOT"), "crashed")
	if _, err := os.Stat(mark); err == nil {
		return
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		log.Fatal(err)
	}
	crash()
}

// A poller asks again and again whether it is done.
type poller struct{ done bool }

func (p *poller) poll() {
	for !p.done {
		runtime.Gosched()
	}
}

// spin keeps one processor busy, and lets everything else go first.
func spin() {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, 19); err != nil {
		log.Print(err)
	}
	go new(poller).poll()
}
