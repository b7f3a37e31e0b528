package fleet

import (
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A groupKey names stacks that are one for the comparison of replicas: one culprit and one kind of wait. Lines don't
// count, so that pods of two builds, in a rolling update of a StatefulSet for instance, differ only in what they do.
type groupKey struct {
	function string // without vendor folder and type arguments
	wait     stackparse.Class
}

// A stackGroup is what a replica has of a groupKey.
type stackGroup struct {
	place rules.Place // of the biggest bucket
	most  int         // goroutines in that
	count int
	idle  int // goroutines with a role that may wait for ever
}

// look takes the last dump apart and notes the findings.
func (r *replica) look(found []*rules.Finding) {
	r.groups = map[groupKey]*stackGroup{}
	for i, b := range r.last.Buckets {
		place := rules.BlameBucket(r.last, b).Culprit
		k := groupKey{rules.PlainName(place.Function), b.Class}
		g := r.groups[k]
		if g == nil {
			g = &stackGroup{}
			r.groups[k] = g
		}
		if b.Count > g.most {
			g.place, g.most = place, b.Count
		}
		g.count += b.Count
		if i < len(r.last.Roles) && r.last.Roles[i] != nil && r.last.Roles[i].Idle {
			g.idle += b.Count
		}
		r.elects(b)
	}
	r.findings = map[string]*rules.Finding{}
	for _, f := range found {
		r.findings[f.Fingerprint] = f
	}
}

// elector is the method prefix of client-go's leader election: acquire returns when the lease is held, renew runs while
// it is (k8s.io/client-go, tools/leaderelection/leaderelection.go, LeaderElector.Run; so since v2.0.0).
const elector = "k8s.io/client-go/tools/leaderelection.(*LeaderElector)."

// elects notes whether a stack holds or waits for a lease.
func (r *replica) elects(b *stackparse.Bucket) {
	for _, f := range b.Frames {
		i := strings.Index(f.Func, elector)
		if i < 0 || frame.StripVendor(f.Func) != f.Func[i:] {
			continue
		}
		method, _, _ := strings.Cut(f.Func[i+len(elector):], ".") // renew.func1
		switch method {
		case "renew":
			r.leads = true
		case "acquire":
			r.waits = true
		}
	}
}

// elect marks the leaders: those that renew a lease, where another replica waits for one. Where all hold one, or one
// holds some and waits for others, leading explains no difference.
func elect(members []*replica) {
	follows := false
	for _, r := range members {
		follows = follows || r.waits && !r.leads
	}
	for _, r := range members {
		r.leader = follows && r.leads && !r.waits
	}
}
