package fetch

import "time"

// Limits bound what a capture takes. The zero value of each means its default.
type Limits struct {
	// MaxBytes of an item: 256 MiB. net/http/pprof cuts a debug=2 dump at 64 MiB; a heap profile has some MiB.
	MaxBytes int64
	// Timeout of the whole capture: for each process as long as its plan lasts, and three minutes.
	Timeout time.Duration
	Connect time.Duration // until there is a connection, and until TLS is agreed on: 10 s each
	Header  time.Duration // until an answer begins, besides the seconds that a profile lasts: 30 s
	Idle    time.Duration // between two bytes of an answer: 30 s
	// Busy is how long "cpu profiling already in use" is tried again: 45 s, as the usual profile takes 30.
	Busy time.Duration
}

func (l Limits) withDefaults() Limits {
	l.MaxBytes = orDefault(l.MaxBytes, 256<<20)
	l.Connect = orDefault(l.Connect, 10*time.Second)
	l.Header = orDefault(l.Header, 30*time.Second)
	l.Idle = orDefault(l.Idle, 30*time.Second)
	l.Busy = orDefault(l.Busy, 45*time.Second)
	return l
}

func orDefault[T int64 | time.Duration](v, otherwise T) T {
	if v > 0 {
		return v
	}
	return otherwise
}
