package auditlog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of lease-taken-in-turns. A rollout of a leader's Deployment changes the holder once or twice, and never
// back to one that held it before, for its pods are new; a leader that is stopped gives its lease up once.
const (
	flapSwitches = 3
	flapReturns  = 2
	// flapPauses is how often renewals must have stopped for the time in which a lease is lost, where holders can't be
	// distinguished, while other leases were renewed. Who renews a lease does so flapShare times or more between two
	// pauses, or at once after it took it; what takes a lock and gives it up writes it twice. Chosen.
	flapPauses = 4
	flapShare  = 3
	// flapQuick is in which time a change of the holder must come on average: a leader that is lost once a day is no
	// flapping.
	flapQuick = 10 * time.Minute
)

// isLock reports a Lease that programs seem to use as a lock: its holders give it up, or hand it on without the silence
// of a lease that expires. A leader that lost its lease does neither. One with client-go's ReleaseOnCancel gives it up
// all the same: its client's name shows that it is an elector.
func isLock(t *audit.Trail, l *audit.Lease) bool {
	return l.Handed > 0 && 2*l.Handed >= l.Switches &&
		slices.ContainsFunc(l.Holders, func(h audit.Holder) bool { return !isElector(&t.Actors[h.Actor]) })
}

// isElector reports a client for leader election alone: controller-runtime (pkg/leaderelection) and the components of
// Kubernetes add this to their agent (client-go's rest.AddUserAgent).
func isElector(a *audit.Actor) bool { return strings.HasSuffix(a.Agent, "/leader-election") }

// holdersOf lists who wrote a Lease, and its holders with their renewals.
func holdersOf(t *audit.Trail, l *audit.Lease) (actors, names []string) {
	for _, h := range l.Holders {
		if name := t.Actors[h.Actor].Name(); !slices.Contains(actors, name) {
			actors = append(actors, name)
		}
		names = append(names, fmt.Sprintf("%s (%d renewals)", h.Name, h.N))
	}
	return actors, names
}

// leasesInTurns is lease-taken-in-turns (TR774).
func leasesInTurns(t *audit.Trail) (found []rules.Finding) {
	for i := range t.Leases {
		if f := leaseInTurns(t, &t.Leases[i]); f != nil {
			found = append(found, *f)
		}
	}
	return found
}

func leaseInTurns(t *audit.Trail, l *audit.Lease) *rules.Finding {
	lasts := time.Duration(l.Last-l.First) * time.Microsecond
	flaps := l.Switches >= flapSwitches && l.Returns >= flapReturns
	lock := isLock(t, l)
	pairs := flapShare*l.Pauses > l.Writes && 2*l.Quick < l.Pauses
	if !flaps && (l.Pauses < flapPauses || pairs || lock) {
		return nil
	}
	o := objectOf(&t.Objects[l.Object])
	o.API, o.Kind = "coordination.k8s.io/v1", "Lease"
	actors, names := holdersOf(t, l)
	f := finding(o, l.Writes, l.From.Time, l.To.Time, actors...)
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	if flaps {
		f.Confidence = rules.ConfHigh
	}
	n := max(l.Switches, l.Pauses)
	if lock {
		f.Doubt("Its holders hand it on: a lock that programs take in turn looks the same.")
	} else if time.Duration(n)*flapQuick < lasts {
		f.Doubt("It changes only once in " + phrase.Seconds(lasts.Seconds()/float64(n)) + ".")
	}
	if flaps {
		f.Title = title("Lease %s changes hands %d times in %s, back and forth", o.Name, l.Switches,
			phrase.Seconds(lasts.Seconds()))
		f.Why = fmt.Sprintf("%s changed hands %d times among %s; %d of the changes went back to an earlier holder.",
			o.Text(), l.Switches, phrase.Some(names, 2), l.Returns)
		if l.Pauses > 0 {
			f.Why += fmt.Sprintf(" Before %d of the changes there was no renewal for up to %s, while other leases "+
				"were renewed.", l.Pauses, phrase.Seconds(l.Longest.Seconds()))
		}
	} else {
		f.Title = title("Lease %s: renewals stop %d times, for up to %s", o.Name, l.Pauses,
			phrase.Seconds(l.Longest.Seconds()))
		f.Why = fmt.Sprintf("%s was renewed every %s, but %d times there was no renewal for up to %s, while "+
			"other leases were renewed.",
			o.Text(), phrase.Seconds(l.Gap.Seconds()), l.Pauses, phrase.Seconds(l.Longest.Seconds()))
		f.Notes = append(f.Notes, "The log doesn't show the holders: kubectl get lease -o yaml shows leaseTransitions.")
	}
	f.Fix = "Find out why the leader does not renew in time: its own client's limit, a paused process, the API server."
	what := "the holder changes"
	if !flaps {
		what = "the first renewal after a pause"
	}
	h := &l.Holders[0]
	f.Evidence = []rules.Evidence{
		evidence(t.PlaceOf(&l.From), l.From.Time, n, "%s: update leases %s, %s", agentOf(&t.Actors[h.Actor]), o.Name,
			what),
		evidence(t.PlaceOf(&l.To), l.To.Time, 1, "update leases %s: the last time", o.Name),
	}
	f.Next = append(rules.Commands("triage audit "+inputs(t)+" "+inNamespace(o.Namespace)+"--object "+
		rules.Quote("leases/"+o.Name)), rules.Command("kubectl "+inNamespace(o.Namespace)+"get lease "+
		rules.Quote(o.Name)+" -o yaml"))
	return &f
}
