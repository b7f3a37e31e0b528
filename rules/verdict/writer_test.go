package verdict

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/all"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/stackparse/frame"
)

// workers is a dump of a program whose goroutines are in these functions, leaf first.
func workers(target rules.Target, stacks ...[]string) *rules.DumpInput {
	var b strings.Builder
	for i, s := range stacks {
		b.WriteString("goroutine " + string(rune('1'+i)) + " [IO wait]:\n")
		for _, f := range s {
			slash := strings.LastIndexByte(f, '/') + 1
			pkg, _, _ := strings.Cut(f[slash:], ".")
			b.WriteString(f + "()\n\t/src/" + f[:slash] + pkg + "/x.go:9 +0x1\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("goroutine 9 [chan receive]:\nmain.main()\n\t/src/example.com/app/main.go:9 +0x1\n")
	d := dumptest.ParseDumps([]byte(b.String()))[0]
	program := frame.InferProgram(func(yield func(frame.Frame) bool) {
		for _, bucket := range d.Buckets {
			for _, f := range bucket.Frames {
				if !yield(f.Frame) {
					return
				}
			}
		}
	})
	return &rules.DumpInput{Dump: d, Input: "dump.txt", Target: target, Program: program}
}

func TestTheFunctionThatWritesIsNamed(t *testing.T) {
	agent := rules.Target{Namespace: "fleet", Pod: "agent-7c9d5b84-q8fkn"}
	const runtime, controller = "internal/poll.runtime_pollWait", "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).Reconcile"
	deep := []string{runtime, "example.com/app/release.(*Reconciler).reconcileStatus", "example.com/app/release.(*Reconciler).Reconcile", controller}
	queue := []string{runtime, "example.com/app.(*Sync).handle", "example.com/app.(*Sync).processNextWorkItem", "example.com/app.(*Sync).run"}
	for _, c := range []struct {
		name   string
		target rules.Target
		stacks [][]string
		want   string
	}{
		{"the deepest own Reconcile", agent, [][]string{deep}, "reconcileStatus"},
		{"a sync as of Kubernetes' own controllers", agent, [][]string{{runtime, "example.com/app.(*Loop).syncStatus", "example.com/app.(*Loop).work"}}, "syncStatus"},
		{"what the queue's worker calls", agent, [][]string{queue}, "(*Sync).handle"},
		{"of two, the one called after the kind", agent, [][]string{queue, deep}, "reconcileStatus"},
		{"a process that nothing names, called after the kind", rules.Target{}, [][]string{deep}, "reconcileStatus"},
		{"near: a process that nothing names, of another kind", rules.Target{}, [][]string{queue}, ""},
		{"near: another pod", rules.Target{Namespace: "fleet", Pod: "web-5d4f8-x2x7k"}, [][]string{deep}, ""},
		{"near: a pod of that name in another namespace", rules.Target{Namespace: "shop", Pod: agent.Pod}, [][]string{deep}, ""},
		{"near: a pod whose name only begins alike", rules.Target{Namespace: "fleet", Pod: "agents-7c9d5b84-q8fkn"}, [][]string{deep}, ""},
		{"near: two, neither called after the kind", agent, [][]string{queue, {runtime, "example.com/app/chart.(*Loop).Reconcile", controller}}, ""},
		{"near: idle", agent, [][]string{{runtime, "example.com/app.(*Server).serve"}}, ""},
	} {
		found := []rules.Finding{loopInAudit()}
		NameWriters(all.Rules(), found, &rules.Pass{Dumps: []*rules.DumpInput{workers(c.target, c.stacks...)}})
		if got := found[0].Culprit.Function; !strings.HasSuffix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if named := len(found[0].Evidence) == 2 && len(found[0].Notes) == 1; named != (c.want != "") {
			t.Errorf("%s: %+v", c.name, found[0])
		}
	}
}

func TestALogsOwnWordForAKindIsNoOtherObject(t *testing.T) {
	for _, c := range []struct {
		kind, namespace, name string
		left                  int
	}{
		{"App", "apps", "shop-web", 1}, {"Service", "apps", "shop-web", 2}, {"App", "other", "shop-web", 2}, {"App", "apps", "shop-db", 2},
	} {
		log := causeFinding("TR700", "reconcile-loop", rules.HotLoop, "web.log", c.kind, c.namespace, c.name)
		if got := OneCause(all.Rules(), []rules.Finding{log, loopInAudit()}, causePass()); len(got) != c.left {
			t.Errorf("%s %s/%s: %d findings, want %d", c.kind, c.namespace, c.name, len(got), c.left)
		}
	}
}
