package logs

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

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

func runSlowEtcd(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Logs {
		seen := signed(in, logpattern.SignEtcdSlow, logpattern.SignEtcdTimeout, logpattern.SignEtcdLeader)
		if len(seen) == 0 {
			continue
		}
		slow, timeouts, elections := sumUp(signed(in, logpattern.SignEtcdSlow)), sumUp(signed(in,
			logpattern.SignEtcdTimeout)), sumUp(signed(in, logpattern.SignEtcdLeader))
		t := sumUp(seen)
		f := rules.Finding{Severity: rules.Low, Confidence: rules.ConfLow, Count: int(t.count)}
		switch {
		case slow.count < fewSlow && timeouts.count < manyTimeouts && elections.count < manyElections:
			continue
		case slow.count >= manySlow && slow.span >= slowSpan && (timeouts.count >= manyTimeouts ||
			elections.count >= manyElections):
			f.Severity, f.Confidence = rules.High, rules.ConfMedium
		case slow.count >= manySlow && slow.span >= slowSpan,
			slow.count >= fewSlow && slow.span >= minLoopSpan && slow.mean() >= verySlow,
			timeouts.count >= manyTimeouts && timeouts.span >= minLoopSpan, elections.count >= manyElections:
			f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
		}
		f.Title = logTitle(writerOf(in, seen[0]), etcdAct(slow, timeouts, elections))
		f.Why = fmt.Sprintf("In %s: %s slow requests", lasting(t.span), phrase.Thousands(slow.count))
		if slow.took.Count > 0 {
			f.Why += fmt.Sprintf(" (the longest took %s)", gapText(slow.took.Longest.Round(time.Millisecond)))
		}
		f.Why += fmt.Sprintf(", %s timeouts, %s elections.", phrase.Thousands(timeouts.count), phrase.Thousands(elections.count))
		found = append(found, signFinding(f, "TR707", in, seen, t))
	}
	return found
}

func etcdAct(slow, timeouts, elections signTotal) string {
	switch {
	case timeouts.count >= manyTimeouts:
		return fmt.Sprintf("sees etcd time out %s times", phrase.Thousands(timeouts.count))
	case elections.count >= manyElections:
		return fmt.Sprintf("sees %s elections of etcd's leader", phrase.Thousands(elections.count))
	}
	return fmt.Sprintf("tells of %s slow requests of etcd in %s", phrase.Thousands(slow.count), lasting(slow.span))
}
