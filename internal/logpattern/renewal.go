package logpattern

import (
	"strings"
	"time"
)

// A Trouble is why a leader could not renew its lease, as its log says.
type Trouble int

// The troubles of leaders.
const (
	TroubleNone    Trouble = iota
	TroubleLimiter         // the rate limiter of its own client held the request back
	TroubleServer          // the API server or etcd did not answer, or answered with an error
)

// serverFaults are words of an answer that did not come in time, in client-go's and etcd's errors.
var serverFaults = []string{
	"etcdserver", "connection refused", "client.timeout exceeded", "i/o timeout", "tls handshake timeout",
	"timeout: request did not complete", "internal error", "service unavailable", "no route to host", "unexpected eof",
	"request did not complete within", "connection reset",
}

// longHeld is a wait for the own rate limiter that takes half of a renewal's deadline (10 s, client-go's default): any
// program that starts logs shorter ones.
const longHeld = 5 * time.Second

// RenewalTrouble reports why leaders lost their lease, with the lines that say so; none where the log says nothing. A
// limiter that gave up or held requests back outweighs a server's fault: the latter come with any restart.
func (l *Log) RenewalTrouble() (Trouble, *Pattern) {
	if l == nil {
		return TroubleNone, nil
	}
	var limiter, server *Pattern
	limited, faults := int64(0), int64(0)
	for _, p := range l.Patterns {
		switch {
		case p.Sign == SignLimited, p.Sign == SignThrottled && p.Took.Longest >= longHeld:
			limited += p.Count
			if limiter == nil || speaks(p) > speaks(limiter) {
				limiter = p
			}
		case p.Sign == SignEtcdTimeout,
			p.Sign == SignRenewal && containsAny(strings.ToLower(p.Example), serverFaults...):
			faults += p.Count
			if server == nil {
				server = p
			}
		}
	}
	switch {
	case limiter != nil && limited >= faults:
		return TroubleLimiter, limiter
	case server != nil:
		return TroubleServer, server
	}
	return TroubleNone, nil
}

// speaks is how much lines about a limiter say of a lease: those that name its lock most.
func speaks(p *Pattern) int {
	n := 0
	if p.Sign == SignLimited {
		n = 1
		if containsAny(strings.ToLower(p.Example), "lock", "lease") {
			n = 2
		}
	}
	return n
}
