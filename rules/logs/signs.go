package logs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
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
// times and commands. It is low, medium where it is a fault.
func signFinding(rule string, seen []logSeen, t signTotal, fault bool, act string) rules.Finding {
	in := seen[0].in
	f := rules.Finding{Severity: rules.Low, Confidence: rules.ConfLow, Object: seen[0].pod(), Count: int(t.count),
		Title: logTitle(seen[0].writer(), act), FirstSeen: logTime(in, t.first), LastSeen: logTime(in, t.last)}
	if fault {
		f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
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

// Bounds of watch restarts. client-go backs off to 30 s after failures, and a healthy watch lasts 5 to 10 minutes
// (tools/cache/reflector.go, minWatchTimeout). A component of a healthy install had 82 such lines in 4.2 minutes, while
// the API servers were rolled out.
const (
	minWatchEnds  = 60
	manyWatchEnds = 300
	// constantWatchEnds is what no API server's absence explains within a quarter of an hour: client-go's backoff
	// reaches 30 s.
	constantWatchEnds = 900
	maxWatchEndPeriod = 10 * time.Second
)

// watchRestarts is watch-restarts (TR704).
func watchRestarts(in *source) []rules.Finding {
	seen := signed(in, logpattern.SignWatchEnded)
	s := sumUp(seen)
	period := s.span / time.Duration(max(s.count-1, 1))
	if s.count < minWatchEnds || s.span < minLoopSpan || period > maxWatchEndPeriod {
		return nil
	}
	f := signFinding("TR704", seen, s, s.count >= manyWatchEnds && s.span >= 3*minLoopSpan ||
		s.count >= constantWatchEnds && s.span >= 3*minLoopSpan/2,
		fmt.Sprintf("loses its watches %s for %s and lists anew", rhythm(period), lasting(s.span)))
	f.Why = fmt.Sprintf("%s lines in %s say that a watch ended or could not begin. A healthy one lasts five to ten "+
		"minutes.", phrase.Number(s.count), lasting(s.span))
	return []rules.Finding{f}
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
	f.Why = fmt.Sprintf("client-go held %s requests back in %s", phrase.Number(t.count), lasting(t.span))
	if t.took.Count > 0 {
		f.Why += fmt.Sprintf(", for %s in all, the longest for %s", lasting(t.took.Sum),
			gapText(t.took.Longest.Round(time.Millisecond)))
	}
	f.Why += ". Only waits of about a second or more are logged: shorter ones come on top."
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
	act := fmt.Sprintf("reports %s slow requests of etcd in %s", phrase.Number(slow.count), lasting(slow.span))
	if timeouts.count >= manyTimeouts {
		act = fmt.Sprintf("sees etcd time out %s times", phrase.Number(timeouts.count))
	} else if elections.count >= manyElections {
		act = fmt.Sprintf("sees %s elections of etcd's leader", phrase.Number(elections.count))
	}
	often := slow.count >= manySlow && slow.span >= slowSpan
	f := signFinding("TR707", seen, t, often ||
		slow.count >= fewSlow && slow.span >= minLoopSpan && slow.mean() >= verySlow ||
		timeouts.count >= manyTimeouts && timeouts.span >= minLoopSpan || elections.count >= manyElections, act)
	if often && (timeouts.count >= manyTimeouts || elections.count >= manyElections) {
		f.Severity = rules.High
	}
	f.Why = fmt.Sprintf("In %s: %s slow requests", lasting(t.span), phrase.Number(slow.count))
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
	return []rules.Finding{f}
}

// Bounds of restarts: popeye warns at five of a container; starts of several parts of one program come within
// seconds of each other.
const (
	minStarts    = 5
	minStartsGap = 5 * time.Second
	// closeStarts is the mean time between starts below which it is a crash loop: the kubelet's longest backoff is five
	// minutes.
	closeStarts = 6 * time.Minute
)

// logRestarts is restarts-in-log (TR708).
func logRestarts(in *source) []rules.Finding {
	var best logSeen
	for _, s := range signed(in, logpattern.SignStarted) {
		for _, o := range s.p.Objects {
			if o.Count >= minStarts && o.Gaps().Q1 >= minStartsGap && (best.o == nil || o.Count > best.o.Count) {
				best = logSeen{in, s.p, o}
			}
		}
	}
	o := best.o
	if o == nil {
		return nil
	}
	t := signTotal{count: o.Count, first: o.First, last: o.Last, span: o.Last.Sub(o.First)}
	// A container that ends gets a new log: several starts in one are a supervisor's inside it, or no starts at all.
	f := signFinding("TR708", []logSeen{best}, t, best.target().Pod == "" && o.Gaps().Median <= closeStarts &&
		o.Count >= 2*minStarts, fmt.Sprintf("starts %d times in %s", o.Count, lasting(t.span)))
	f.Why = fmt.Sprintf("A line that the program prints when it starts is in its log %d times, usually %s apart.",
		o.Count, gapText(o.Gaps().Median))
	if best.target().Pod != "" {
		f.Next = append(f.Next, best.target().LogsPrevious())
	}
	return []rules.Finding{f}
}

// killed reads `Killed process 1234 (name)`, as mm/oom_kill.c has written since Linux 2.6.
var killed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`Kill(?:ed)? process \d+ \(([^)]{1,64})\)`)
})

// kernelOOM is oom-killed-in-kernel-log (TR709).
func kernelOOM(in *source) []rules.Finding {
	var found []rules.Finding
	for _, s := range signed(in, logpattern.SignOOMKilled) {
		m := killed().FindStringSubmatch(s.p.Example)
		if m == nil {
			continue // a line beside the one that names the process
		}
		who, of := "A process", ""
		if strings.Contains(s.p.Template, "("+m[1]+")") {
			who, of = phrase.Cut(m[1], 40), m[1]
		}
		act, often := "is killed by the kernel: the node is out of memory", phrase.CountTimes(int(s.p.Count))
		ran := "no limit of a container was reached, so the whole node ran out"
		if strings.Contains(strings.ToLower(s.p.Example), "cgroup") {
			act = "is killed by the kernel: its container is out of memory"
			ran = "the container reached its own memory limit"
		}
		if s.p.Count > 1 {
			act += ", " + often
		}
		f := signFinding("TR709", []logSeen{s}, sumUp([]logSeen{s}), true, "")
		f.Confidence, f.Title = rules.ConfHigh, logTitle(who, act)
		f.Why = fmt.Sprintf("The kernel reports it %s in %s: %s.", often, s.writer(), ran)
		f.Object, f.Fingerprint = nil, logFingerprint("TR709", in, of)
		if node := s.target().Node; node != "" {
			f.Object = &rules.Object{API: "v1", Kind: "Node", Name: node}
			f.Next = rules.Commands("kubectl describe node "+rules.Quote(node),
				"kubectl top pod -A --containers --sort-by=memory")
		}
		found = append(found, f)
	}
	return found
}
