package fetch

import "time"

// An EventKind is the kind of an Event.
type EventKind int

// The kinds of events.
const (
	// EventPlan comes first: Text is a line of what will be asked and what it costs, Expect how long it takes.
	EventPlan EventKind = iota
	// EventStart: an item is asked for and lasts about Expect.
	EventStart
	// EventItem: an item came or failed; Item has the result.
	EventItem
	// EventNote: something worth knowing, in Text: fewer pods than the selector matches, a retry.
	EventNote
	// EventProcess: one of Of processes is complete.
	EventProcess
	// EventRound: a round of Watch ended, with Text.
	EventRound
)

// An Event is something that happened in a capture.
type Event struct {
	Kind   EventKind
	From   string // the process: HOST:PORT, pod NAMESPACE/NAME
	Name   string // the item's
	Text   string
	Expect time.Duration
	Item   *ManifestItem
	Of     int
}
