package main

import (
	"cmp"
	"hash/fnv"
	"slices"
	"time"

	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

// A scripted request is one of the story's; it is made when its time comes, so that resource versions grow with time.
type scripted struct {
	at   time.Time
	make func(*auditlog.Store) auditlog.Event
}

// traffic fills the API servers' logs: the cluster's healthy requests at Metadata level, an agent's loop where there is
// one, and the story's. A client talks to one server all the time, as HTTP/2 connections do.
func (c *cluster) traffic(servers int, from, to time.Time, pace float64, loop *auditlog.Loop, script []scripted) {
	c.audit = make([][]auditlog.Event, servers)
	back := auditlog.NewBackground(c.seed, from, c.nodes, c.store, pace)
	r := logs.NewRand(c.seed + "ids")
	slices.SortStableFunc(script, func(a, b scripted) int { return a.at.Compare(b.at) })
	for {
		var e auditlog.Event
		switch {
		case len(script) > 0 && script[0].at.Before(back.Peek()) && (loop == nil || script[0].at.Before(loop.Peek())):
			e = script[0].make(c.store)
			e.At = script[0].at
			script = script[1:]
		case loop != nil && loop.Peek().Before(back.Peek()):
			e = loop.Next()
		default:
			e = back.Next()
		}
		if e.At.Add(e.Took).After(to) {
			break
		}
		if e.ID == "" {
			e.ID = r.UUID()
		}
		if e.Took == 0 {
			e.Took = time.Duration(r.Between(1_500, 7_000)) * time.Microsecond
		}
		h := fnv.New32a()
		h.Write([]byte(e.User.Name + e.User.Agent))
		s := int(h.Sum32()) % servers
		c.audit[s] = append(c.audit[s], e)
	}
	for _, log := range c.audit { // an event is written when its stage is reached
		slices.SortStableFunc(log, func(a, b auditlog.Event) int {
			return cmp.Compare(a.At.Add(a.Took).UnixNano(), b.At.Add(b.Took).UnixNano())
		})
	}
}
