// Command goset-tree-subset decides requests by the rights that a user has and those that a page asks for.
//
// Report: https://github.com/hashicorp/go-set/issues/52
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-set"
	"wild/kit"
)

// Rights are ordered by their names.
type rights = *set.TreeSet[string, set.Compare[string]]

// A request is for a page by a user of a group.
type request struct {
	group string
	page  string
}

// grant makes a set of rights on each of some objects.
func grant(prefix string, objects ...string) rights {
	s := set.NewTreeSet[string, set.Compare[string]](strings.Compare)
	for _, object := range objects {
		for _, verb := range []string{"create", "delete", "list", "read", "update"} {
			s.Insert(prefix + "." + object + "." + verb)
		}
	}
	return s
}

// A policy has the rights of groups, and the rights that pages need.
type policy struct {
	has   map[string]rights
	needs map[string]rights
}

// check says whether a has all rights of b.
func check(a, b rights) bool {
	return a.Subset(b)
}

// decide answers requests until there are no more.
func decide(p *policy, requests <-chan request) {
	allowed, refused := 0, 0
	for r := range requests {
		if check(p.has[r.group], p.needs[r.page]) {
			allowed++
		} else {
			refused++
		}
		if (allowed+refused)%200 == 0 {
			log.Printf("%d requests allowed, %d refused", allowed, refused)
		}
	}
}

// arrive makes requests, four a second: readers ask for the pages of administrators.
func arrive(requests chan<- request) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		<-tick.C
		requests <- request{group: "readers", page: fmt.Sprintf("admin-%d", n%3)}
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := &policy{
		has: map[string]rights{"readers": grant("shop", "article", "basket", "order")},
		needs: map[string]rights{
			"admin-0": grant("admin", "user"),
			"admin-1": grant("admin", "user", "group"),
			"admin-2": grant("admin", "user", "group", "audit"),
		},
	}
	requests := make(chan request)
	go decide(p, requests)
	go arrive(requests)
	<-ctx.Done()
}
