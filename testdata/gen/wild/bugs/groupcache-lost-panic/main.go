// Command users shows names of users, which a cache loads from the directory once they are asked for.
//
// Report: https://github.com/mailgun/groupcache/issues/38
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mailgun/groupcache/v2"
	"wild/kit"
)

type user struct {
	name string
}

var (
	directory = map[string]*user{"ann": {"Ann Lee"}, "bob": {"Bob Ray"}}
	names     = groupcache.NewGroup("names", 1<<20, groupcache.GetterFunc(load))
	shown     atomic.Int64
	failures  atomic.Int64
)

// load fills the cache from the directory.
func load(ctx context.Context, id string, dest groupcache.Sink) error {
	u := directory[id]
	return dest.SetString(u.name, time.Now().Add(time.Minute))
}

// get returns a user's name. A failing load must not end the process.
func get(ctx context.Context, id string) (name string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("user %s: %v", id, r)
		}
	}()
	err = names.Get(ctx, id, groupcache.StringSink(&name))
	return name, err
}

// show renders the page of a user who left, to whom old mails still link.
func show(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if _, err := get(ctx, "joe"); err != nil {
			failures.Add(1)
			continue
		}
		shown.Add(1)
	}
}

// greet renders the page of a user who is still there.
func greet(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		name, err := get(ctx, "ann")
		if err != nil {
			log.Print(err)
			continue
		}
		if n := shown.Add(1); n%10 == 0 {
			log.Printf("hello %s, %d pages shown, %d failures", name, n, failures.Load())
		}
	}
}

func handleName(w http.ResponseWriter, r *http.Request) {
	name, err := get(r.Context(), r.FormValue("id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, name)
}

func main() {
	kit.Serve()
	http.HandleFunc("/name", handleName)
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	for range 10 {
		go show(ctx)
	}
	go greet(ctx)
	<-ctx.Done()
}
