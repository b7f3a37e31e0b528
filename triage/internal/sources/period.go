package sources

import (
	"bytes"
	"time"
)

// A period bounds the time of what is looked at: from since to until, both included; the zero time bounds nothing.
type period struct {
	since, until time.Time
	// seconds of since and until as stamps in UTC begin, for comparing without parsing.
	first, last string
}

// secondForm is how far two stamps in UTC compare as text.
const secondForm = "2006-01-02T15:04:05"

func newPeriod(since, until time.Time) period {
	p := period{since: since, until: until}
	if !since.IsZero() {
		p.first = since.UTC().Format(secondForm)
	}
	if !until.IsZero() {
		p.last = until.UTC().Format(secondForm)
	}
	return p
}

func (p period) bounded() bool { return p.first != "" || p.last != "" }

// holds reports whether the stamp of a log's framing lies in p. A line without a stamp, or with one that lacks its
// zone, may: leaving it out would lose evidence.
func (p period) holds(stamp []byte) bool {
	if len(stamp) <= len(secondForm) || !p.bounded() {
		return true
	}
	if stamp[len(stamp)-1] == 'Z' && stamp[10] == 'T' {
		second := stamp[:len(secondForm)]
		switch {
		case p.first != "" && bytes.Compare(second, []byte(p.first)) < 0:
			return false
		case p.last != "" && bytes.Compare(second, []byte(p.last)) > 0:
			return false
		case string(second) != p.first && string(second) != p.last:
			return true
		}
	}
	for _, form := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700"} {
		if at, err := time.Parse(form, string(stamp)); err == nil {
			return p.holdsTime(at)
		}
	}
	return true
}

// holdsTime reports whether at lies in p; the zero time, which is unknown, may.
func (p period) holdsTime(at time.Time) bool {
	return at.IsZero() || (p.since.IsZero() || !at.Before(p.since)) && (p.until.IsZero() || !at.After(p.until))
}
