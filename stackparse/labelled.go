package stackparse

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A labelledGoroutine is what labels of a profile show about one goroutine. Profiles that list goroutines
// (CockroachDB's goroutine?debug=3) hold a sample for each, with its id and its creator's as numbers, its state as in a
// header, and the minutes that it has waited:
//
//	go::goroutine  go::goroutine_created_by  go::goroutine_state  go::goroutine_wait_minutes
type labelledGoroutine struct {
	id, parent uint64
	state      string
	minutes    uint32
}

// labelsOfGoroutine is what the keys of these labels begin with.
const labelsOfGoroutine = "go::goroutine"

// readLabels takes the labels of one goroutine apart, "key: value" pairs; rest are the program's own.
func readLabels(pairs []string) (l labelledGoroutine, rest []string) {
	if !slices.ContainsFunc(pairs, func(p string) bool { return strings.HasPrefix(p, labelsOfGoroutine) }) {
		return l, pairs
	}
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, ": ")
		number, _, _ := strings.Cut(value, " ") // a unit may follow
		n, _ := strconv.ParseUint(number, 10, 64)
		switch key {
		case labelsOfGoroutine:
			l.id = n
		case labelsOfGoroutine + "_created_by":
			l.parent = n
		case labelsOfGoroutine + "_state":
			l.state = value
		case labelsOfGoroutine + "_wait_minutes":
			l.minutes = uint32(min(n, math.MaxUint32))
		default:
			rest = append(rest, pair)
		}
	}
	return l, rest
}

// list adds a goroutine to the members of its bucket.
func (c *countedDump) list(b *Bucket, l labelledGoroutine, labels uint16) {
	state, ok := c.states[l.state]
	if !ok {
		if len(c.dump.States) == maxStates {
			return
		}
		state = uint16(len(c.dump.States))
		c.states[l.state] = state
		c.dump.States = append(c.dump.States, l.state)
	}
	if Runnable(l.state) {
		b.Active++
	} else if b.Class == ClassRunning || b.Class == ClassRunnable {
		b.Class = classOf(b.Frames, l.state)
	}
	if len(b.Goroutines) == 0 || l.minutes < b.MinMinutes {
		b.MinMinutes = l.minutes
	}
	b.MaxMinutes = max(b.MaxMinutes, l.minutes)
	b.Goroutines = append(b.Goroutines, Goroutine{ID: l.id, Parent: l.parent, Line: lineOf(c.dump.Line),
		Minutes: l.minutes, Labels: labels, State: state})
	c.listed++
}

// unlist forgets the goroutines that labels show: not all have some.
func (c *countedDump) unlist() {
	if c.listed == 0 {
		return
	}
	for _, b := range c.dump.Buckets {
		b.Goroutines, b.Active, b.MinMinutes, b.MaxMinutes = nil, 0, 0, 0
		b.Class = classOf(b.Frames, "")
	}
	c.dump.States = []string{}
}
