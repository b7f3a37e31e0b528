package schema

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
)

// An Ending is a function that has code which could end a wait: it sends to the channel, closes it or receives from it,
// calls Done, or wakes who waits for a sync.Cond.
type Ending struct {
	Function   string `json:"function"` // without its package, that of the wait
	File       string `json:"file"`
	Line       int    `json:"line"`
	Goroutines int    `json:"goroutines"` // others that are in it
	// Goroutine is the first of them, 0 for none or where the dump only counts, and At the place where it is now.
	Goroutine uint64       `json:"goroutine,omitempty"`
	At        *rules.Place `json:"at,omitempty"`
}

// shownEndings is how many functions that could end a wait are named.
const shownEndings = 2

// EndingsText names what could end a wait, and who is there: "could end it: (*hub).run (hub.go:40), with
// goroutine 7 in it, at hub.(*client).send (client.go:12); or 2 more"; "" for none.
func EndingsText(list []Ending) string {
	if len(list) == 0 {
		return ""
	}
	var parts []string
	for i := range list[:min(len(list), shownEndings)] {
		e := &list[i]
		place := rules.PlaceText(rules.Place{Function: e.Function, File: e.File, Line: e.Line})
		if parts = append(parts, place+", "+e.Presence()); e.At != nil {
			parts[i] += rules.PlaceText(*e.At)
		}
	}
	if more := len(list) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return "could end it: " + strings.Join(parts, "; or ")
}

// Presence is who is in the function: "with no goroutine in it"; with At as "with goroutine 7 in it, at ", which the
// place follows.
func (e *Ending) Presence() string {
	text := "with no goroutine in it"
	switch {
	case e.Goroutines == 1 && e.Goroutine != 0:
		text = fmt.Sprintf("with goroutine %d in it", e.Goroutine)
	case e.Goroutines == 1:
		text = "with 1 goroutine in it"
	case e.Goroutines > 1:
		text = fmt.Sprintf("with %d goroutines in it", e.Goroutines)
	}
	switch {
	case e.At == nil:
		return text
	case e.Goroutines > 1:
		return text + ", the first at "
	}
	return text + ", at "
}
