package advice

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/convert"
	"github.com/gotriage/triage/triage/schema"
)

func adviceText(as []schema.Advice) string {
	var b strings.Builder
	for _, a := range as {
		b.WriteString(a.Why + "\n")
		for _, s := range a.Commands {
			b.WriteString(s.Command + "\n")
		}
	}
	return b.String()
}

func TestAdviceWithoutADumpFillsInTheNamesOfTheInput(t *testing.T) {
	r := schema.New("")
	r.Inputs = []schema.Input{{Path: "app.log"}, {
		Path:      "/mnt/var/log/pods/shop_relay-1_0b9f/relay/0.log",
		Namespace: "shop", Pod: "relay-1", Container: "relay", Node: "node-3",
	}}
	got := adviceText(For(r, &rules.Pass{}))
	for _, want := range []string{
		"kubectl -n shop exec relay-1 -c relay -- kill -ABRT 1",
		"kubectl -n shop logs -p relay-1 -c relay | triage",
		"triage /var/log/pods/shop_relay-1_0b9f/relay",
		"--target=relay",
		"triage fetch pod/relay-1 -n shop -c relay --port 6060 --only stacks --dumps 1",
		"GOTRACEBACK=all",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestAdviceNamesTheContainerOnlyWhereThereIsOne(t *testing.T) {
	input := func(container string) schema.Input {
		return schema.Input{Namespace: "shop", Pod: "web-1", Container: container}
	}
	for _, tt := range []struct {
		containers []string
		want       string
	}{
		{[]string{"app", "app", ""}, "logs -p web-1 -c app |"},
		{[]string{"", "app"}, "logs -p web-1 -c app |"},
		{[]string{"app", "proxy", "app"}, "logs -p web-1 --all-containers --ignore-errors --prefix |"},
		{[]string{""}, "logs -p web-1 --all-containers --ignore-errors --prefix |"},
	} {
		r := schema.New("")
		for _, c := range tt.containers {
			r.Inputs = append(r.Inputs, input(c))
		}
		if got := adviceText(For(r, &rules.Pass{})); !strings.Contains(got, tt.want) {
			t.Errorf("%q: no %q in\n%s", tt.containers, tt.want, got)
		}
	}
}

func TestAdviceWithoutNamesUsesWordsInCapitals(t *testing.T) {
	r := schema.New("")
	r.Inputs = []schema.Input{{Path: "app.log"}}
	got := adviceText(For(r, &rules.Pass{}))
	for _, want := range []string{"kubectl exec POD -- kill -ABRT 1", "/var/log/pods/NAMESPACE_POD_*/CONTAINER", "\nkill -ABRT PID\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestAdviceQuotesHostileNames(t *testing.T) {
	r := schema.New("")
	r.Inputs = []schema.Input{{Path: "x", Namespace: "n; rm -rf /", Pod: "$(reboot)", Container: "`id`"}}
	for _, c := range For(r, &rules.Pass{})[0].Commands {
		for _, bad := range []string{"n; rm -rf /", "$(reboot)", "`id`"} {
			if bare := strings.ReplaceAll(c.Command, "'"+bad+"'", ""); strings.Contains(bare, bad) {
				t.Errorf("unquoted %q in %q", bad, c.Command)
			}
		}
	}
}

func cutDump(cut stackparse.Truncation, format stackparse.Format, input string) (*schema.Report, *rules.Pass) {
	d := &rules.DumpInput{
		Dump:  &stackparse.Dump{Format: format, Line: 40, Goroutines: 9, Truncated: cut},
		Input: input, Locate: func(n int64) (string, int64) { return input, n },
	}
	r := schema.New("")
	r.Inputs = []schema.Input{{Path: input}}
	r.Dumps = []schema.Dump{convert.Dump(d, nil)}
	return r, &rules.Pass{Dumps: []*rules.DumpInput{d}}
}

func TestAdviceOnACutDumpNamesWhereItsOtherEndIs(t *testing.T) {
	for name, c := range map[string]struct {
		cut    stackparse.Truncation
		format stackparse.Format
		input  string
		want   string
	}{
		"head":           {stackparse.Truncation{Head: true}, stackparse.FormatSignal, "logs/relay/0.log", "triage logs/relay"},
		"in an archive":  {stackparse.Truncation{Head: true}, stackparse.FormatSignal, "b.zip!/logs/relay/0.log", "triage /var/log/pods/NAMESPACE_POD_*/CONTAINER"},
		"head of stdin":  {stackparse.Truncation{Head: true}, stackparse.FormatSignal, "-", "/var/log/pods/NAMESPACE_POD_*/CONTAINER"},
		"tail":           {stackparse.Truncation{Tail: true}, stackparse.FormatSignal, "logs/relay/0.log", "--tail=-1"},
		"tail of debug2": {stackparse.Truncation{Tail: true}, stackparse.FormatDebug2, "g.txt", "triage fetch :6060 --only goroutine"},
		"both":           {stackparse.Truncation{Head: true, Tail: true}, stackparse.FormatSignal, "a b/0.log", "triage 'a b'"},
	} {
		t.Run(name, func(t *testing.T) {
			got := adviceText(For(cutDump(c.cut, c.format, c.input)))
			if !strings.Contains(got, c.want) {
				t.Errorf("no %q in\n%s", c.want, got)
			}
		})
	}
}

func TestNoAdviceOnAWholeDump(t *testing.T) {
	if got := For(cutDump(stackparse.Truncation{}, stackparse.FormatSignal, "0.log")); len(got) != 0 {
		t.Errorf("advice %+v", got)
	}
}

func TestNoAdviceWhereNothingWasRead(t *testing.T) {
	r := schema.New("")
	r.Skipped = []schema.Skipped{{Path: "x", Reason: "no such file", Named: true}}
	if got := For(r, &rules.Pass{}); len(got) != 0 {
		t.Errorf("advice %+v", got)
	}
}

func TestADumpInATerminationMessageIsSoughtInTheContainersLog(t *testing.T) {
	r := schema.New("")
	r.Inputs = []schema.Input{{Path: "pods.yaml", Kind: "kubernetes-objects"}}
	r.Dumps = []schema.Dump{{Input: "pods.yaml", Line: 84, Truncated: "head"}}
	dump := &stackparse.Dump{Goroutines: 1, Truncated: stackparse.Truncation{Head: true}, Buckets: []*stackparse.Bucket{{
		Count: 1, Frames: []stackparse.Frame{{}}, Goroutines: []stackparse.Goroutine{{ID: 1}}}}}
	got := adviceText(For(r, &rules.Pass{Dumps: []*rules.DumpInput{{Dump: dump, Input: "pods.yaml",
		Target: rules.Target{Namespace: "shop", Pod: "web-1", Container: "app"}}}}))
	if strings.Contains(got, "log file before") || !strings.Contains(got, "termination message") ||
		!strings.Contains(got, "kubectl -n shop logs -p web-1 -c app") {
		t.Errorf("%s", got)
	}
}

// waitingDump is a whole dump of one goroutine without a role, which waits as class says.
func waitingDump(class stackparse.Class, input string) (*schema.Report, *rules.Pass) {
	d := &rules.DumpInput{
		Dump: &stackparse.Dump{Format: stackparse.FormatDebug2, Line: 1, Goroutines: 1, Buckets: []*stackparse.Bucket{{
			Count: 1, Class: class, Goroutines: []stackparse.Goroutine{{ID: 7}}}}, States: []string{string(class)}},
		Input: input, Locate: func(n int64) (string, int64) { return input, n }, Roles: make([]*rules.Role, 1),
		Target: rules.Target{Namespace: "shop", Pod: "web-1", Container: "app", Port: 8080},
	}
	r := schema.New("")
	r.Inputs = []schema.Input{{Path: input}}
	r.Dumps = []schema.Dump{convert.Dump(d, nil)}
	return r, &rules.Pass{Dumps: []*rules.DumpInput{d}}
}

func TestADumpWithoutACulpritHasASecondOneAsItsNextStep(t *testing.T) {
	const second = "triage fetch pod/web-1 -n shop -c app --port 8080 --only stacks --dumps 2 --interval 30s"
	if got := adviceText(For(waitingDump(stackparse.ClassChanReceive, "0.log"))); !strings.Contains(got, second) {
		t.Errorf("no %q in\n%s", second, got)
	}
	for name, change := range map[string]func(*schema.Report, *rules.Pass){
		"a culprit": func(r *schema.Report, _ *rules.Pass) {
			r.Findings = []rules.Finding{{Severity: rules.Medium, Confidence: rules.ConfMedium}}
		},
		"a remark with two dumps as its step": func(r *schema.Report, p *rules.Pass) {
			r.Findings = []rules.Finding{{Severity: rules.Low, Next: []rules.Step{p.Dumps[0].Target.SecondDump()}}}
		},
		"a role":          func(r *schema.Report, _ *rules.Pass) { r.Dumps[0].Buckets[0].Role = "accept" },
		"one that sleeps": func(r *schema.Report, _ *rules.Pass) { r.Dumps[0].Buckets[0].Wait = string(stackparse.ClassSleep) },
		"two dumps of the process": func(r *schema.Report, _ *rules.Pass) {
			r.Dumps[0].Process, r.Series = "web", []schema.Series{{Process: "web"}}
		},
		"a process that has crashed": func(_ *schema.Report, p *rules.Pass) {
			p.Dumps[0].Cause = &stackparse.Cause{Kind: stackparse.CausePanic}
		},
		"nothing in the whole report": func(r *schema.Report, _ *rules.Pass) { r.Dumps[0].Buckets = nil },
	} {
		r, pass := waitingDump(stackparse.ClassChanReceive, "0.log")
		change(r, pass)
		if got := For(r, pass); len(got) != 0 {
			t.Errorf("%s: %s", name, adviceText(got))
		}
	}
}

func TestAGoroutineToWatchHasACPUProfileAsItsNextStep(t *testing.T) {
	r, pass := waitingDump(stackparse.ClassRunning, "0.log")
	r.Dumps[0].Runnable = []schema.Runnable{{Count: 1, Verdict: "watch"}}
	if got := adviceText(For(r, pass)); !strings.Contains(got, "triage fetch pod/web-1 -n shop -c app --port 8080\n") {
		t.Errorf("%s", got)
	}
}

func TestAnAuditLogAloneAsksForTheObjectsAndEndsNothing(t *testing.T) {
	r := schema.New("")
	r.Inputs, r.Audit = []schema.Input{{Path: "logs/audit.log"}}, &schema.Audit{}
	got := adviceText(For(r, &rules.Pass{}))
	if !strings.Contains(got, "\ntriage logs/audit.log objects.yaml\n") || strings.Contains(got, "kill") {
		t.Errorf("%s", got)
	}
}
