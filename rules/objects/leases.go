package objects

import (
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of a lease that changes hands. A rolling update of two replicas makes up to two changes, and old leases have
// dozens over months: the rate counts. None of the 15 leases in healthy bundles had three; the bounds are those of the
// logs (TR706), in which no lease of a healthy installation was taken more than twice.
const (
	manyTransitions  = 6
	flapsPerHour     = 3.0
	certainFlaps     = 12
	certainFlapsHour = 12.0
	// windowTransitions within flapWindow are too many between two snapshots or in a watch, whatever the lease's age,
	// where a holder comes back; an upgrade of a control plane with three masters makes three changes in 20 minutes,
	// each to a process that is new.
	windowTransitions = 3
	flapWindow        = 30 * time.Minute
	// manyReturns is how often pods that had the lease before must take it as another process: an upgrade of three
	// masters brings one of them back.
	manyReturns = 2
	// youngTransitions within youngWindow of the lease's creation are too many where the inputs show one more change:
	// four in the first half hour of an installation are healthy, and a leader that dies at once needs a restart for
	// each.
	youngTransitions = 4
	youngWindow      = 3 * time.Minute
)

// runLeaseFlapping is lease-flapping (TR748).
func runLeaseFlapping(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	for _, l := range c.Leases {
		if f, ok := leaseFlapping(c, l); ok {
			found = append(found, f)
		}
	}
	return found
}

func leaseFlapping(c *kube.Cluster, l *kube.Lease) (rules.Finding, bool) {
	if l.Gone || l.Transitions < 2 {
		return rules.Finding{}, false
	}
	seen, span, certain := leaseRate(c, l)
	if seen == 0 {
		return rules.Finding{}, false
	}
	first, last := l.Created, l.Renewed
	if len(l.Terms) > 0 {
		if _, window := termsSpan(l); span == window {
			first = l.Terms[len(l.Terms)-1].Acquired.Add(-span)
		}
		last = l.Terms[len(l.Terms)-1].Acquired
	}
	f := finding(l.Ref, rules.Medium, rules.ConfMedium, int(seen), first, last)
	if certain {
		f.Severity, f.Confidence = rules.High, rules.ConfHigh
	}
	if over := since(c, last); over > flapWindow {
		f.Doubt("The last holder has kept it for " + phrase.Spell(over) + ": the flapping seems to be over.")
	}
	if lock := isLock(c, l, span); lock != "" {
		f.Doubt(lock + ": a lock that programs take in turn looks the same.")
	}
	f.Title = title(l.Ref, fmt.Sprintf("changed hands %d times in %s", seen, phrase.Spell(span)))
	f.Why = fmt.Sprintf("%s has changed hands %d times in %s.", kindName(l.Ref), seen, phrase.Spell(span))
	var holders []string
	for _, t := range l.Terms {
		f.Evidence = append(f.Evidence, evidence(t.At, t.Acquired, 1, "held by %s after %d transitions", t.Holder,
			t.Transitions))
		holders = append(holders, t.Holder)
	}
	f.Evidence = f.Evidence[:min(len(f.Evidence), maxObjectEvidence)]
	if len(holders) > 1 {
		f.Notes = append(f.Notes, "The versions in the inputs show "+someNames(holders)+".")
	}
	if l.Duration > 0 && l.Holder != "" { // one that was given up lasts a second (client-go's release)
		f.Why += fmt.Sprintf(" A leader that can't renew it for %s loses it.", phrase.Spell(l.Duration))
	}
	f.Fix = "Find out from the leader's log why it does not renew in time: its own client's limit, the API server " +
		"or etcd."
	f.Next = rules.Commands(objectOf(l.Ref).Kubectl("get", "-o yaml"), objectOf(l.Ref).Kubectl("get", "-w -o yaml"))
	return f, true
}

// leaseRate is how often a lease changed hands and in which time, where that is too often, and whether it is so often
// that nothing else explains it; 0 where it is not.
func leaseRate(c *kube.Cluster, l *kube.Lease) (seen int64, span time.Duration, certain bool) {
	age := since(c, l.Created)
	perHour := float64(l.Transitions) / max(age.Hours(), 1.0/60)
	seen, span = l.Transitions, age
	often := age > 0 && l.Transitions >= manyTransitions && perHour >= flapsPerHour
	certain = often && l.Transitions >= certainFlaps && perHour >= certainFlapsHour
	delta, window := termsSpan(l)
	if comes := returns(l) >= manyReturns; window > 0 && window <= flapWindow &&
		(delta >= manyTransitions || delta >= windowTransitions && comes) {
		often, seen, span = true, delta, window
		certain = certain || delta >= manyTransitions && comes
	} else if delta > 0 && l.Transitions >= youngTransitions && age > 0 && age <= youngWindow {
		often = true
	}
	if !often {
		return 0, 0, false
	}
	return seen, span, certain
}

// termsSpan is how many transitions lie between the first and the last term that the inputs show, and how long.
func termsSpan(l *kube.Lease) (delta int64, span time.Duration) {
	if len(l.Terms) < 2 {
		return 0, 0
	}
	a, b := l.Terms[0], l.Terms[len(l.Terms)-1]
	from := a.Acquired
	if a.Renewed.After(from) {
		from = a.Renewed // it had not been lost by then
	}
	return b.Transitions - a.Transitions, b.Acquired.Sub(from)
}

// returns is how often the lease went to a pod that had had it before, under whatever name. A process that has it
// again, or still, after others had it in between, counts twice: no restart explains it.
func returns(l *kube.Lease) (n int) {
	had := map[string]bool{}
	for i, t := range l.Terms {
		pod, _, _ := strings.Cut(t.Holder, "_")
		switch {
		case had[t.Holder] && (l.Terms[i-1].Holder != t.Holder || t.Transitions-l.Terms[i-1].Transitions > 1):
			n += 2
		case had[pod] && l.Terms[i-1].Holder != t.Holder:
			n++
		}
		had[pod], had[t.Holder] = true, true
	}
	return n
}
