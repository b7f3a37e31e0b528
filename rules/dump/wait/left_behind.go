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
	return func(p *rules.Pass) (found []rules.Finding) {
		for _, d := range p.AliveDumps() {
			if isTest(d) || d.Truncated.Head || d.Truncated.Tail || !hasClass(d, []stackparse.Class{class}) {
				continue
			}
			all, least := crowdsOf(d, manyLeft), mostShare*unexplained(d)
			for _, c := range all {
				if 10*c.count*maxTogether < least {
					break // the others are smaller
				}
				if !c.waitsIn(class) || 10*loopsOf(c, all).total < least {
					continue
				}
				l := loopsOf(c, nil)
				// Only what is left is worth sorting thousands of ids.
				if l.came = arrivalOf(d, c.buckets...); l.came.came || !l.came.known && c.count >= manyAlike {
					found = append(found, l.leftFinding(rule, class))
				}
			}
		}
		return found
	}
}

// maxTogether bounds the goroutines that are started together: one of the program, and a library's loops of one object.
// Chosen: one of the program, with a reader, a writer and two more of a connection.
const maxTogether = 5

// waitsIn reports whether nine in ten of a crowd wait in one way, in a function of the program, and no other rule knows
// more of them.
func (c *crowd) waitsIn(class stackparse.Class) bool {
	b := c.buckets[0]
	if b.Leaked || b.Class != class || 10*c.waits[class] < 9*c.count || c.role != nil {
		return false
	}
	s := newView(c.d)
	w := s.actorIn(b)
	// Calls of libraries that last for minutes have rules, and a receiver that is there may be stuck.
	return w.own && (w.class == frame.ClassOwn || waitingSince(b, sureMinutes) < pileUp) &&
		(class != stackparse.ClassChanSend || !s.besides(w))
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

func (l *loops) leftFinding(rule string, class stackparse.Class) rules.Finding {
	s := newView(l.d)
	return l.shown(s.finding(rule, s.actorIn(l.buckets[0]), guilty().but(true, oneForEach).with(account.Values{
		"n": strconv.Itoa(l.count), "total": strconv.Itoa(l.d.Goroutines), "creator": l.starts(),
		"class": string(class),
	}, "left")))
}
