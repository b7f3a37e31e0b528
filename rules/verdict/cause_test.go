package verdict

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/all"
)

// A causeFinding is a finding of one view on a cause.
func causeFinding(rule, name string, c rules.Category, input, kind, namespace, object string) rules.Finding {
	f := rules.Finding{
		Rule: rule, Name: name, Category: c, Severity: rules.High, Confidence: rules.ConfMedium, Title: rule + " says so",
		Evidence: []rules.Evidence{{Input: input, Count: 1, Share: 0.6}},
	}
	if object != "" {
		f.Object = &rules.Object{Kind: kind, Namespace: namespace, Name: object}
	}
	return f
}

func causePass() *rules.Pass {
	agent := rules.Target{Namespace: "fleet", Pod: "agent-7c9d5b84-q8fkn", Container: "agent"}
	other := rules.Target{Namespace: "shop", Pod: "web-5d4f8-x2x7k", Container: "web"}
	view := func() *profile.View { return &profile.View{Profile: &profile.Profile{Kind: profile.KindCPU}} }
	return &rules.Pass{
		Logs: []*rules.LogInput{{Input: "agent.log", Target: agent}, {Input: "web.log", Target: other}},
		Profiles: []*rules.ProfileInput{
			{View: view(), Input: "agent.pb.gz", Process: "fleet/agent", Target: agent}, {View: view(), Input: "web.pb.gz", Process: "shop/web", Target: other},
		},
	}
}

func loopInAudit() rules.Finding {
	f := causeFinding("TR760", "self-update-loop", rules.HotLoop, "audit.log", "Release", "apps", "shop-web")
	f.Actors = []string{"system:serviceaccount:fleet:agent"}
	return f
}

func comparing(input string) rules.Finding {
	f := causeFinding("TR540", "deep-equal", rules.HotCPU, input, "", "", "")
	f.Culprit = rules.Place{Function: "example.com/agent/status.(*Monitor).changed", File: "monitor.go", Line: 9}
	return f
}

func TestOneCauseIsOneFinding(t *testing.T) {
	memory := causeFinding("TR601", "dominant-retainer", rules.Memory, "web.pb.gz", "", "", "")
	memory.Culprit = rules.Place{Function: "example.com/web.keep", File: "keep.go", Line: 3}
	memory.Severity = rules.Medium
	killed := func(pod string) rules.Finding {
		f := causeFinding("TR732", "oom-killed", rules.Memory, "pods.yaml", "Deployment", "shop", "web")
		f.Objects = []rules.Object{{Kind: "Pod", Namespace: "shop", Name: pod}}
		return f
	}
	race := causeFinding("TR762", "delete-create-race", rules.RaceCat, "audit.log", "StatefulSet", "db", "ledger")
	race.Objects = []rules.Object{{Kind: "PersistentVolumeClaim", Namespace: "db", Name: "data-ledger-0"}}
	for _, c := range []struct {
		name  string
		in    []rules.Finding
		first string
		left  int
	}{
		{"a loop in the log and in the audit log, of one object", []rules.Finding{
			causeFinding("TR700", "reconcile-loop", rules.HotLoop, "web.log", "release", "", "shop-web"), loopInAudit()}, "TR760", 1},
		{"loops of two objects, neither of which the other's pod writes", []rules.Finding{
			causeFinding("TR700", "reconcile-loop", rules.HotLoop, "web.log", "release", "", "other"), loopInAudit()}, "TR760", 2},
		{"a loop in the log of the pod that writes the object, under another name", []rules.Finding{
			causeFinding("TR700", "reconcile-loop", rules.HotLoop, "agent.log", "bundle", "", "bundle-1"), loopInAudit()}, "TR760", 1},
		{"objects of one name in two namespaces", []rules.Finding{
			causeFinding("TR743", "status-churn", rules.HotLoop, "a.yaml", "Release", "elsewhere", "shop-web"), loopInAudit()}, "TR760", 2},
		{"the writer's CPU profile, full of comparing", []rules.Finding{comparing("agent.pb.gz"), loopInAudit()}, "TR760", 1},
		{"another process's CPU profile, full of comparing", []rules.Finding{comparing("web.pb.gz"), loopInAudit()}, "TR760", 2},
		{"the heap of the pod that is killed", []rules.Finding{killed("web-5d4f8-x2x7k"), memory}, "TR601", 1},
		{"the heap of a pod that isn't", []rules.Finding{killed("web-5d4f8-zzzzz"), memory}, "TR601", 2},
		{"a race and the claim that it left behind", []rules.Finding{
			causeFinding("TR734", "pending-claim", rules.RaceCat, "pods.yaml", "PersistentVolumeClaim", "db", "data-ledger-0"), race}, "TR762", 1},
		{"a race and somebody else's claim", []rules.Finding{
			causeFinding("TR734", "pending-claim", rules.RaceCat, "pods.yaml", "PersistentVolumeClaim", "db", "data-ledger-7"), race}, "TR762", 2},
		{"a storm and the conflicts of its controller", []rules.Finding{
			causeFinding("TR702", "conflicts-in-log", rules.Contention, "web.log", "ReplicaSet", "shop", "web"),
			causeFinding("TR730", "pod-storm", rules.PodStorm, "pods.yaml", "ReplicaSet", "shop", "web")}, "TR730", 2},
		{"a storm and a loop that have nothing in common", []rules.Finding{
			causeFinding("TR730", "pod-storm", rules.PodStorm, "pods.yaml", "Deployment", "shop", "web"), loopInAudit()}, "TR760", 2},
	} {
		got := OneCause(all.Rules(), c.in, causePass())
		if len(got) != c.left {
			t.Errorf("%s: %d findings", c.name, len(got))
			continue
		}
		found := false
		for _, f := range got {
			found = found || f.Rule == c.first
		}
		if !found {
			t.Errorf("%s: %s lends its words", c.name, got[0].Rule)
		}
	}
}

func TestAJoinedFindingSaysWhatAllViewsShow(t *testing.T) {
	log := causeFinding("TR700", "reconcile-loop", rules.HotLoop, "agent.log", "bundle", "", "bundle-1")
	log.Next = []rules.Step{rules.Command("kubectl logs agent").Note("the loop")}
	audit := loopInAudit()
	audit.Next = rules.Commands("kubectl logs agent")
	got := OneCause(all.Rules(), []rules.Finding{log, comparing("agent.pb.gz"), audit}, causePass())
	if len(got) != 1 {
		t.Fatalf("%d findings", len(got))
	}
	f := got[0]
	if f.Confidence != rules.ConfHigh || f.Culprit.Line != 9 || len(f.Evidence) != 3 || len(f.Sources) != 0 || len(f.Next) != 1 {
		t.Errorf("confidence %s, culprit %v, %d pieces of evidence, next %+v", f.Confidence, f.Culprit, len(f.Evidence), f.Next)
	}
	notes := strings.Join(f.Notes, "\n")
	for _, want := range []string{"TR700", "TR540", `json:"-"`, "of the Release"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes: %s", want, notes)
		}
	}
	if inputs := f.Evidence[0].Input + " " + f.Evidence[1].Input + " " + f.Evidence[2].Input; !strings.HasPrefix(inputs, "audit.log ") {
		t.Errorf("evidence: %s", inputs)
	}
}
