package wait

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// pipesLeft is the part of channel-send-leak (TR412) about goroutines that write to pipes in memory which nobody reads
// any more: a pipe has one reader, and who writes waits until that one has read or closed its end. It holds for all
// forms: nobody may be in the code around the writers, nor in code that reads what it is given, nor in the middle of
// anything else. The limit is that of senders with a channel each.
func pipesLeft(p *rules.Pass) (found []rules.Finding) {
	for _, d := range p.AliveDumps() {
		if isTest(d) || d.Truncated.Head || d.Truncated.Tail || len(d.Buckets) > maxView ||
			!hasClass(d, []stackparse.Class{stackparse.ClassSelect}) {
			continue
		}
		s := newView(d)
		for _, c := range crowdsOf(d, fewSenders) {
			if c.role == nil && c.knowsStarter() && s.allWritePipes(c) && !c.company() {
				found = append(found, s.pipesFinding(c))
			}
		}
	}
	return found
}

// allWritePipes reports whether all goroutines of a crowd write to pipes, and nobody moves who may read them.
func (s *view) allWritePipes(c *crowd) bool {
	for _, b := range c.buckets {
		if a := s.actorIn(b); !writesPipe(a) || b.Leaked || b.Active > 0 || s.ageOf(a) == young {
			return false
		}
	}
	w := s.actorIn(c.buckets[0])
	return !slices.ContainsFunc(s.actors, func(a actor) bool {
		switch {
		case c.has(a.b), !a.own && !a.foreign:
			return false
		case mayReadPipe(&a):
			return true
		}
		return !s.cameRound(&a, w) && (a.move >= asks || a.move == paced && !s.aside(&a, w))
	})
}

func (s *view) pipesFinding(c *crowd) rules.Finding {
	biggest := slices.MaxFunc(c.buckets, func(a, b *stackparse.Bucket) int { return a.Count - b.Count })
	w := s.actorIn(biggest)
	// A request to come may read what one uploads, as in a relay; another goroutine may read a pipe at each tick.
	v := guilty().but(servesRequest(w.b.Frames[w.root].Func), eventToCome).
		but(s.comesBy(w, nil), tickToCome).but(c.count < manySenders, noAge)
	v = v.with(account.Values{
		"waits":  phrase.CountGoroutines(c.count) + " " + waitVerb(c.count, w.b.MaxMinutes),
		"around": c.around(), "creator": c.starter(),
	}, "pipes")
	for _, b := range c.buckets {
		if b != biggest && len(v.evidence) < rules.MaxEvidence {
			v.evidence = append(v.evidence, rules.EvidenceOf(s.d, b, ""))
		}
	}
	f := s.finding("channel-send-leak", w, v)
	f.Count = c.count
	return f
}
