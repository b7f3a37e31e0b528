package kube

import (
	"path"
	"strings"
	"time"
)

// Taken is when an input was collected, as far as it shows: the bundle's time, else the newest time in the files that
// were collected with it. These are the files of its folder whose names have the same digits (pods-0900.json goes with
// nodes-0900.json, not with events-1000.json); a watch has a clock of its own. Zero where unknown.
func (c *Cluster) Taken(input string) time.Time {
	if !c.Bundle.Created.IsZero() {
		return c.Bundle.Created
	}
	if at, ok := c.watched[input]; ok {
		return at
	}
	return c.taken[takenWith(input)]
}

// A Moment is what a list shows of when it was taken: the newest renewal of a Lease in it, and the newest
// resourceVersion. The API server counts all writes in one row, so that two lists of a cluster show how many lie
// between them, and an object's version how many came after its own.
type Moment struct {
	At      time.Time
	Version int64
	first   time.Time // renewal
}

// Watched is how long a watch lasted, as the renewals of Leases in it show; 0 where the input is none or has none.
func (c *Cluster) Watched(input string) time.Duration {
	m := c.moments[input]
	if _, watch := c.watched[input]; !watch || m.first.IsZero() {
		return 0
	}
	return m.At.Sub(m.first)
}

// Moment is that of an input which is a list; ok is false where it has no Leases or no versions, or is a watch.
func (c *Cluster) Moment(input string) (m Moment, ok bool) {
	m = c.moments[input]
	_, watch := c.watched[input]
	return m, !watch && !m.At.IsZero() && m.Version > 0
}

// takenWith names what an input was collected with: its folder, and the digits of its name.
func takenWith(input string) string {
	digits := strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, path.Base(input))
	return path.Dir(input) + "/" + digits
}

// clocks notes the newest time of each input.
func (c *Cluster) clocks(all []*Objects) {
	files, watches := map[string]time.Time{}, map[string]bool{}
	c.moments = map[string]Moment{}
	for _, o := range all {
		for _, v := range o.objects {
			when := v.meta.Written
			in := v.meta.Input
			moment := c.moments[in]
			moment.Version = max(moment.Version, versionOf(v.meta))
			switch rec := v.rec.(type) {
			case *Lease:
				when = latest(when, rec.Renewed)
				moment.At = latest(moment.At, rec.Renewed)
				if moment.first.IsZero() || !rec.Since.IsZero() && rec.Since.Before(moment.first) {
					moment.first = rec.Since
				}
			case *Pod:
				for _, ct := range rec.Containers {
					for _, t := range []*Termination{ct.Now, ct.Last} {
						if t != nil {
							when = latest(when, t.Finished)
						}
					}
				}
			}
			c.moments[in] = moment
			files[in] = latest(files[in], when)
			watches[in] = watches[in] || v.past != nil && v.past.firstAt.Input == in
		}
		for _, e := range o.events {
			files[e.Input] = latest(files[e.Input], e.Last)
		}
	}
	c.taken, c.watched = map[string]time.Time{}, map[string]time.Time{}
	for in, when := range files {
		if watches[in] {
			c.watched[in] = when
			continue
		}
		with := takenWith(in)
		c.taken[with] = latest(c.taken[with], when)
	}
}
