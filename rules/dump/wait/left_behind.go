package wait

import (
	"strconv"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// manyLeft is how many goroutines of the program must wait in one function to be worth a remark: as in a queue without
// minutes. No number makes that certain: a server of long connections has thousands that came one by one.
const manyLeft = manyQueued

// leftBehind is the part of channel-send-leak, channel-receive-leak and select-leak (TR412 to TR414) about goroutines
// that run one function of the program, wait in it, and are most of the process: nothing is left that could end them
// all. In dumps that list goroutines they came one by one until now, so that more will come. Each may belong to a
// client that is still connected, so the finding is always doubtful.
func leftBehind(rule string, class stackparse.Class) run {
	return func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, d := range p.AliveDumps() {
			if isTest(d) || d.Truncated.Head || d.Truncated.Tail || !hasClass(d, []stackparse.Class{class}) {
				continue
			}
			all, least := crowdsOf(d, manyLeft), mostShare*unexplained(d)
			for _, c := range all {
				if 10*c.count*maxTogether < least {
					break // the others are smaller
				}
				if v := c.leftIn(class); v.guilty && 10*loopsOf(c, all).total >= least {
					found = append(found, c.leftFinding(rule, class, v))
				}
			}
		}
		return found
	}
}

// maxTogether bounds the goroutines that are started together: one of the program, and a library's loops of one object.
// Chosen: one of the program, with a reader, a writer and two more of a connection.
const maxTogether = 5

// leftIn judges a crowd of which nine in ten wait in one way. Clients, tenants and accounts of a program may have a
// goroutine each, which come as they do.
func (c *crowd) leftIn(class stackparse.Class) verdict {
	b := c.buckets[0]
	if b.Leaked || b.Class != class || 10*c.waits[class] < 9*c.count || c.role != nil {
		return verdict{}
	}
	s := newView(c.d)
	w := s.actorIn(b)
	if !w.own {
		return verdict{}
	}
	switch {
	case w.class != frame.ClassOwn && waitingSince(b, sureMinutes) >= pileUp: // the rule about that call knows more
		return verdict{}
	case class == stackparse.ClassChanSend && s.besides(w): // who should receive is there, and may be stuck
		return verdict{}
	}
	came := arrivalOf(c.d, c.buckets...)
	return verdict{guilty: came.came || !came.known && c.count >= manyAlike}.but(true, oneForEach)
}

// unexplained counts the goroutines of a dump without a role.
func unexplained(d *rules.DumpInput) int {
	n := 0
	for i, b := range d.Buckets {
		if d.RoleOf(i) == nil {
			n += b.Count
		}
	}
	return n
}

func (c *crowd) leftFinding(rule string, class stackparse.Class, v verdict) rules.Finding {
	s := newView(c.d)
	f := s.finding(rule, s.actorIn(c.buckets[0]), v.with(account.Values{
		"n": strconv.Itoa(c.count), "total": strconv.Itoa(c.d.Goroutines), "creator": c.starts(),
		"class": string(class),
	}, "left"))
	f.Count, f.Next, f.Evidence = c.count, nextAfter("orphans", c.d, false), nil
	l := loopsOf(c, nil)
	if l.came = arrivalOf(c.d, c.buckets...); l.came.known {
		f.Notes = []string{l.cameText()}
	}
	for _, b := range c.buckets[:min(len(c.buckets), rules.MaxEvidence)] {
		f.Evidence = append(f.Evidence, rules.EvidenceOf(c.d, b, ""))
	}
	return f
}
