package parsed

import (
	"testing"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A foreign is no evidence of this module.
type foreign struct{}

func (foreign) Empty() bool { return false }

func TestWhatWasPutIntoAPassComesOut(t *testing.T) {
	c, tr, l, g := &kube.Cluster{}, &audit.Trail{}, &logpattern.Log{}, &waitgraph.Graph{}
	p := &rules.Pass{Cluster: c, Audit: tr}
	if Cluster(p) != c || Trail(p) != tr || Log(&rules.LogInput{Log: l}) != l || Waits(&rules.DumpInput{Waits: g}) != g {
		t.Error("it is not the same")
	}
	for _, none := range []rules.Parsed{nil, foreign{}} {
		p := &rules.Pass{Cluster: none, Audit: none}
		if Cluster(p) != nil || Trail(p) != nil || Log(&rules.LogInput{Log: none}) != nil || Waits(&rules.DumpInput{Waits: none}) != nil {
			t.Errorf("something comes of %#v", none)
		}
	}
}

func TestARuleNeedsEvidenceThatIsNotEmpty(t *testing.T) {
	missing := func(need rules.Needs, p *rules.Pass) bool { return (&rules.Rule{Needs: need}).Missing(p) != 0 }
	for name, p := range map[string]*rules.Pass{
		"nothing":     {},
		"no pointers": {Cluster: (*kube.Cluster)(nil), Audit: (*audit.Trail)(nil), Logs: []*rules.LogInput{{Log: (*logpattern.Log)(nil)}}},
		"no content":  {Cluster: &kube.Cluster{}, Audit: &audit.Trail{}, Logs: []*rules.LogInput{{Log: &logpattern.Log{}}}},
	} {
		for _, need := range []rules.Needs{rules.NeedsObjects, rules.NeedsAudit, rules.NeedsLogs} {
			if !missing(need, p) {
				t.Errorf("%s is %s", name, need)
			}
		}
	}
	full := &rules.Pass{
		Cluster: &kube.Cluster{Count: 1}, Audit: &audit.Trail{Requests: 1},
		Logs: []*rules.LogInput{{Log: &logpattern.Log{Lines: 1}}},
	}
	if missing(rules.NeedsObjects|rules.NeedsAudit|rules.NeedsLogs, full) {
		t.Error("one object, request and line are no evidence")
	}
	if g := (*waitgraph.Graph)(nil); !g.Empty() || !Grapher()(&rules.DumpInput{Dump: &stackparse.Dump{}}).Empty() {
		t.Error("a dump without goroutines has waits")
	}
}
