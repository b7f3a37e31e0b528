package logs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of leader changes: in a healthy install of 23 minutes no lease was lost more than three times, or taken more
// than twice. Terms alone say little: each pod of a rollout takes the lease once. Those that go back to a process that
// had the lease before count.
const (
	fewLosses   = 3
	manyLosses  = 6
	fewTerms    = 5
	manyReturns = 8
)

// A leaseSeen is what all logs show of one lease.
type leaseSeen struct {
	object       *rules.Object
	lost, gained int64
	given        int64 // lines of holders that stopped by themselves: their context was canceled
	perLog       map[leaseLog]int64
	seen         []logSeen
	first, last  time.Time
}

func runLeaders(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, l := range leasesOf(sourcesOf(p)) {
		if (l.lost >= fewLosses || l.gained >= fewTerms) && !l.isLock() {
			found = append(found, l.finding())
		}
	}
	return found
}

type leaseLog struct {
	in   *source
	lost bool
}

// leasesOf gathers losses and terms by lease; losses that name none count for the lease that the same log took.
func leasesOf(logs []*source) []*leaseSeen {
	byName := map[string]*leaseSeen{}
	var all []*leaseSeen
	for _, in := range logs {
		own := ""
		for _, s := range signed(in, logpattern.SignLeaderGained, logpattern.SignLeaderLost) {
			for _, o := range s.p.Objects {
				own = cmp.Or(leaseName(o), own)
				name := cmp.Or(own, "log "+in.Input)
				l := byName[name]
				if l == nil {
					l = &leaseSeen{perLog: map[leaseLog]int64{}}
					byName[name] = l
					all = append(all, l)
				}
				l.add(logSeen{in, s.p, o})
			}
		}
	}
	return slices.DeleteFunc(all, func(l *leaseSeen) bool { return len(l.seen) == 0 })
}

func leaseName(o *logpattern.Object) string {
	if o.Name == "" || o.Namespace == "" {
		return ""
	}
	return o.Namespace + "/" + o.Name
}

// isLock reports a lease whose holders stop by themselves, as those of a lock do that programs take in turns:
// client-go's elector then says that it failed to renew the lease because its context was canceled.
func (l *leaseSeen) isLock() bool { return l.given > l.lost && 2*l.given >= l.gained }

func (l *leaseSeen) add(s logSeen) {
	if s.p.Sign == logpattern.SignLeaderLost && strings.Contains(s.p.Example, "context canceled") {
		l.given += s.o.Count
		return
	}
	// A change of hands is logged by several lines (the election, an event or two): the most frequent counts.
	k := leaseLog{s.in, s.p.Sign == logpattern.SignLeaderLost}
	if more := s.o.Count - l.perLog[k]; more > 0 {
		l.perLog[k] = s.o.Count
		if k.lost {
			l.lost += more
		} else {
			l.gained += more
		}
	}
	if l.object == nil && leaseName(s.o) != "" {
		l.object = &rules.Object{API: "coordination.k8s.io/v1", Kind: "Lease", Namespace: s.o.Namespace, Name: s.o.Name}
	}
	l.seen = append(l.seen, s)
	if !s.o.First.IsZero() && (l.first.IsZero() || s.o.First.Before(l.first)) {
		l.first = s.o.First
	}
	if s.o.Last.After(l.last) {
		l.last = s.o.Last
	}
}

// returns is how many terms went to a process that had had the lease before.
func (l *leaseSeen) returns() int64 {
	n := int64(0)
	for k, terms := range l.perLog {
		if !k.lost {
			n += terms - 1
		}
	}
	return n
}

func (l *leaseSeen) finding() rules.Finding {
	s := l.seen[0]
	f, who := s.begin("TR706", l.object, "The lease of "+s.writer(), "lease", max(l.lost, l.gained), l.first, l.last)
	span := l.last.Sub(l.first)
	hours, changes := max(span.Hours(), 1), max(l.lost, l.returns())
	perHour := float64(changes) / hours
	f.Title = logTitle(who, l.story(span))
	f.Why = fmt.Sprintf("The logs show %d losses and %d new terms of one lease%s.", l.lost, l.gained,
		within(" within ", span))
	f.Fix = "Find out why the leader does not renew in time: its own client's limit, the API server or etcd."
	switch flaps := (l.lost >= manyLosses || l.returns() >= manyReturns) && l.plausible(changes, span); {
	case flaps && perHour >= 3:
		f.Severity = rules.High
	case flaps && perHour >= 1:
	case l.lost == 0 && l.returns() == 0:
		f.Doubt("No log shows a loss, and each process took the lease once, as the pods of a rollout do.")
	default:
		f.Doubt("Restarts and rollouts cause about as many changes.")
	}
	l.trouble(&f, who)
	slices.SortStableFunc(l.seen, func(a, b logSeen) int { return a.o.First.Compare(b.o.First) })
	for _, s := range l.seen[:min(len(l.seen), maxLogEvidence)] {
		f.Evidence = append(f.Evidence, s.evidence(&s.o.Repeats, s.o.Count))
	}
	return f
}

// story is "was lost 3 times and taken 4 times in 20 minutes", without what is 0.
func (l *leaseSeen) story(span time.Duration) string {
	lost, taken := "lost "+phrase.CountTimes(int(l.lost)), "taken "+phrase.CountTimes(int(l.gained))
	switch {
	case l.lost == 0:
		lost = ""
	case l.gained == 0:
		taken = ""
	default:
		lost += " and "
	}
	return "was " + lost + taken + within(" in ", span)
}

// within is how long something took, "" for less than a second: lines with one time say nothing about it.
func within(before string, span time.Duration) string {
	if span < time.Second {
		return ""
	}
	return before + lasting(span)
}

// plausible reports whether a lease can change so often in that time: a candidate tries once in retryPeriod. More lines
// than that are of another kind, or their times are not those of the changes.
func (l *leaseSeen) plausible(changes int64, span time.Duration) bool {
	return time.Duration(changes)*retryPeriod <= span
}

// retryPeriod is client-go's default: how often a candidate tries to take a lease.
const retryPeriod = 2 * time.Second

// trouble adds why the lease could not be renewed, where one of its logs says so.
func (l *leaseSeen) trouble(f *rules.Finding, who string) {
	if l.lost == 0 {
		return
	}
	asked := map[*source]bool{}
	for _, s := range l.seen {
		if asked[s.in] {
			continue
		}
		asked[s.in] = true
		why, p := s.in.RenewalTrouble()
		switch why {
		case logpattern.TroubleNone:
			continue
		case logpattern.TroubleLimiter:
			f.Title = logTitle(who, fmt.Sprintf("is lost %s: its own client's rate limiter delays renewals",
				phrase.CountTimes(int(l.lost))))
			f.Why += " Its own client delayed requests (client rate limiter), and the renewal waited behind them."
			f.Fix = "Give the leader election a client of its own, or raise the client's QPS and Burst."
		case logpattern.TroubleServer:
			f.Why += " The renewals got no answer in time: the API server or etcd was slow or down at that time."
			f.Fix = "Look at the latency, disk and restarts of the API server and etcd at that time."
		}
		f.Evidence = append(f.Evidence, logSeen{in: s.in, p: p}.evidence(&p.Repeats, p.Count))
		return
	}
}
