package objects

import (
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
)

// Programs also use a Lease as a lock: each takes it, works, and gives it up, so that leaseTransitions grows all the
// time. Most leaders that lose their lease do not give it up: another one has to wait until it has expired, and the
// process that lost it ends.

// isLock says what shows that a Lease that changed its holder all the time is a lock, "" where nothing does. span is
// the time in which the transitions happened.
func isLock(c *kube.Cluster, l *kube.Lease, span time.Duration) string {
	given, lost := 0, 0
	for i, t := range l.Terms {
		switch {
		case t.Released:
			given++
		case i+1 < len(l.Terms) && l.Terms[i+1].Transitions-t.Transitions == 1 &&
			l.Terms[i+1].Acquired.Sub(t.Renewed) >= l.Duration: // else it was given up between the versions
			lost++
		}
	}
	switch {
	case l.Holder == "" && given >= lost:
		return "Its last holder has given it up"
	case given > 0 && given >= lost:
		return "Its holders give it up before the next one takes it"
	case lost >= windowTransitions:
		return ""
	case l.Duration > 0 && span > 0 && span < time.Duration(transitionsIn(l))*l.Duration:
		return "It changed hands faster than it expires"
	}
	return livingHolders(c, l, span)
}

// transitionsIn is how often a Lease changed hands in the time that leaseRate reports.
func transitionsIn(l *kube.Lease) int64 {
	if delta, _ := termsSpan(l); delta > 0 {
		return delta
	}
	return l.Transitions
}

// livingHolders says that the pods that hold a Lease are those of Jobs, or have run for most of the time without a
// restart; "" where they are not known.
func livingHolders(c *kube.Cluster, l *kube.Lease, span time.Duration) string {
	var tops []kube.Ref
	for _, p := range c.Pods {
		if p.Namespace == l.Namespace && l.HeldBy(p.Name) {
			if top := c.Top(&p.Meta); !slices.Contains(tops, top) {
				tops = append(tops, top)
			}
		}
	}
	if len(tops) != 1 {
		return ""
	}
	if tops[0].Kind == "Job" || tops[0].Kind == "CronJob" {
		return "Its holders are pods of a " + tops[0].Kind
	}
	for _, p := range c.Pods {
		if p.Gone || p.Namespace != tops[0].Namespace || c.Top(&p.Meta) != tops[0] {
			continue
		}
		if since(c, p.Started) < span/2 || slices.ContainsFunc(p.Containers, func(ct kube.Container) bool {
			return ct.Restarts > 0 || ct.Last != nil
		}) {
			return ""
		}
	}
	return "The pods that hold it have kept running, and none was restarted"
}
