// Command cmap-iter-break keeps the sessions of a gateway in a sharded map, refreshes them from a feed and looks for
// one that can be reused.
//
// Report: https://github.com/orcaman/concurrent-map/issues/50
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	cmap "github.com/orcaman/concurrent-map"
	"wild/kit"
)

const perFeed = 400 // sessions that one feed names

type session struct {
	id   string
	node string
	seen time.Time
}

// A registry holds the sessions that are known.
type registry struct {
	sessions cmap.ConcurrentMap
}

// store takes over the sessions of one feed.
func store(r *registry, feed []session) {
	for _, s := range feed {
		r.sessions.Set(s.id, s)
	}
}

// read makes the feed of one round. Half of its sessions are those of the round before.
func read(round int) []session {
	feed := make([]session, 0, perFeed)
	for i := range perFeed {
		n := round*perFeed/2 + i
		feed = append(feed, session{id: fmt.Sprintf("s-%06d", n), node: fmt.Sprintf("node-%d", n%5), seen: time.Now()})
	}
	return feed
}

// expire forgets the sessions that no feed has named for a while.
func expire(r *registry, age time.Duration) {
	for item := range r.sessions.IterBuffered() {
		if s, ok := item.Val.(session); ok && time.Since(s.seen) > age {
			r.sessions.Remove(item.Key)
		}
	}
}

// follow reads a feed each second, and names a session to reuse after each.
func follow(r *registry) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for round := 0; ; round++ {
		<-tick.C
		store(r, read(round))
		if s, ok := find(r); ok && round%10 == 0 {
			log.Printf("reuse %s on %s", s.id, s.node)
		}
		if round%5 == 0 {
			expire(r, 30*time.Second)
		}
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := &registry{sessions: cmap.New()}
	go follow(r)
	<-ctx.Done()
}
