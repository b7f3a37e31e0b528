package logs

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// signed are a log's patterns with a sign, most frequent first.
func signed(in *source, signs ...logpattern.Sign) []logSeen {
	var seen []logSeen
	for _, p := range in.Patterns {
		if slices.Contains(signs, p.Sign) {
			seen = append(seen, logSeen{in: in, p: p})
		}
	}
	return seen
}

// A signTotal sums patterns up.
type signTotal struct {
	count       int64
	first, last time.Time
	span        time.Duration
	took        logpattern.Took
}

func sumUp(seen []logSeen) signTotal {
	var t signTotal
	for _, s := range seen {
		p := s.p
		t.count += p.Count
		t.took.Count += p.Took.Count
		t.took.Sum += min(p.Took.Sum, 1000*time.Hour)
		t.took.Longest = max(t.took.Longest, p.Took.Longest)
		if p.First.IsZero() {
			continue
		}
		if t.first.IsZero() || p.First.Before(t.first) {
			t.first = p.First
		}
		if p.Last.After(t.last) {
			t.last = p.Last
		}
	}
	if !t.first.IsZero() {
		t.span = t.last.Sub(t.first)
	}
	return t
}

// mean is the mean of the durations that the lines name, 0 for none.
func (t signTotal) mean() time.Duration {
	return t.took.Sum / time.Duration(max(t.took.Count, 1))
}

// signFinding is a finding about a process that does what its lines are the sign of: its pod, evidence of each pattern,
// times and commands. What healthy processes do as well costs little: its severity is low, medium where it is a fault.
func signFinding(rule string, seen []logSeen, t signTotal, fault bool, act string) rules.Finding {
	in := seen[0].in
	f := rules.Finding{Severity: rules.Low, Confidence: rules.ConfMedium, Object: seen[0].pod(), Count: int(t.count),
		Title: logTitle(seen[0].writer(), act), FirstSeen: logTime(in, t.first), LastSeen: logTime(in, t.last)}
	if fault {
		f.Severity = rules.Medium
	}
	if f.Object == nil {
		f.Fingerprint = logFingerprint(rule, in, "")
	}
	for _, s := range seen[:min(len(seen), maxLogEvidence)] {
		f.Evidence = append(f.Evidence, s.evidence(&s.p.Repeats, s.p.Count))
	}
	f.Next = seen[0].next(f.Object)
	return f
}

// Bounds of throttling. In a healthy install of 23 minutes operators had up to 200 such lines in a log; OpenShift's
// version operator, which logs waits from 50 ms on, had 4,447 of 0.6 s on average in 22 minutes.
const (
	fewWaits  = 100
	manyWaits = 300
	// muchWaiting is the share of the time that is waited (several requests may wait at once), longWait the least mean.
	muchWaiting = 0.5
	longWait    = time.Second
	// longThrottled is longer than any start or install here took.
	longThrottled = 25 * time.Minute
)

// throttled is client-side-throttling (TR705).
func throttled(in *source) []rules.Finding {
	seen := signed(in, logpattern.SignThrottled)
	t := sumUp(seen)
	if t.count < fewWaits {
		return nil
	}
	f := signFinding("TR705", seen, t, t.count >= manyWaits && t.span >= longThrottled &&
		float64(t.took.Sum) >= muchWaiting*float64(t.span) && t.mean() >= longWait,
		fmt.Sprintf("waits for its own rate limit %s times in %s", phrase.Number(t.count), lasting(t.span)))
	f.Why = fmt.Sprintf("client-go delayed %s requests in %s", phrase.Number(t.count), lasting(t.span))
	if t.took.Count > 0 {
		f.Why += fmt.Sprintf(", by %s in all, the longest by %s", lasting(t.took.Sum),
			gapText(t.took.Longest.Round(time.Millisecond)))
	}
	f.Why += ". Waits shorter than about a second are not logged."
	f.Fix = "Reduce this client's requests, or raise its QPS and Burst."
	return []rules.Finding{f}
}

// Bounds of a slow etcd. The members of a healthy install on rented machines warned up to 1,300 times in 20 minutes,
// and a rate of 9.6 a second is known from others (support bundles of OpenShift 4.8), which is why a rate alone is low.
// Elections and timeouts are rare: none of the healthy logs has more than 4 elections.
const (
	fewSlow  = 300
	manySlow = 3000
	slowSpan = 25 * time.Minute
	// verySlow is a mean that no healthy log has over fewSlow warnings (those of the install: 0.1 to 0.4 s), over as
	// long as loops need.
	verySlow      = time.Second
	manyTimeouts  = 30
	manyElections = 8
)

// slowEtcd is slow-etcd (TR707).
func slowEtcd(in *source) []rules.Finding {
	seen := signed(in, logpattern.SignEtcdSlow, logpattern.SignEtcdTimeout, logpattern.SignEtcdLeader)
	if len(seen) == 0 {
		return nil
	}
	t, slow := sumUp(seen), sumUp(signed(in, logpattern.SignEtcdSlow))
	timeouts, elections := sumUp(signed(in, logpattern.SignEtcdTimeout)), sumUp(signed(in, logpattern.SignEtcdLeader))
	if slow.count < fewSlow && timeouts.count < manyTimeouts && elections.count < manyElections {
		return nil
	}
	act := fmt.Sprintf("reports %s slow etcd requests in %s", phrase.Number(slow.count), lasting(slow.span))
	if timeouts.count >= manyTimeouts {
		act = fmt.Sprintf("sees etcd time out %s times", phrase.Number(timeouts.count))
	} else if elections.count >= manyElections {
		act = fmt.Sprintf("sees %s etcd leader elections", phrase.Number(elections.count))
	}
	often := slow.count >= manySlow && slow.span >= slowSpan
	f := signFinding("TR707", seen, t, often ||
		slow.count >= fewSlow && slow.span >= minLoopSpan && slow.mean() >= verySlow ||
		timeouts.count >= manyTimeouts && timeouts.span >= minLoopSpan || elections.count >= manyElections, act)
	if often && (timeouts.count >= manyTimeouts || elections.count >= manyElections) {
		f.Severity = rules.High
	}
	f.Why = fmt.Sprintf("In %s, etcd logged %s slow requests", lasting(t.span), phrase.Number(slow.count))
	if slow.took.Count > 0 {
		f.Why += fmt.Sprintf(" (the longest took %s)", gapText(slow.took.Longest.Round(time.Millisecond)))
	}
	if timeouts.count > 0 {
		f.Why += ", " + phrase.Count(timeouts.count, "timeout")
	}
	if elections.count > 0 {
		f.Why += ", " + phrase.Count(elections.count, "election")
	}
	f.Why += "."
	f.Fix = "Give etcd a faster disk of its own, or find out what slows it down: large lists, a full database, a " +
		"busy node."
	return []rules.Finding{f}
}

func gapText(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return phrase.Seconds(d.Seconds())
}
