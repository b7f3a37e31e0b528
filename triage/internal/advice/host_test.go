package advice

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

func TestAdviceFitsWhereTheProcessRan(t *testing.T) {
	for _, c := range []struct {
		input schema.Input
		want  []string
	}{
		{schema.Input{Framing: "journald", Container: "beacon"},
			[]string{"systemctl kill -s ABRT beacon", "journalctl -o cat -u beacon | triage"}},
		{schema.Input{Framing: "syslog", Container: "a; rm -rf $UNIT"},
			[]string{"systemctl kill -s ABRT 'a; rm -rf $UNIT'"}},
		{schema.Input{Framing: "compose"},
			[]string{"docker compose kill -s ABRT SERVICE", "docker compose logs --no-log-prefix SERVICE | triage"}},
		{schema.Input{Framing: "go-test-json"}, []string{"go test -timeout 1m"}},
	} {
		r := schema.New("")
		r.Inputs = []schema.Input{c.input}
		got := adviceText(For(r, &rules.Pass{}))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.input.Framing, want, got)
			}
		}
		if strings.Contains(got, "kubectl") || strings.Contains(got, "/var/log/pods") {
			t.Errorf("%s: no cluster shows there:\n%s", c.input.Framing, got)
		}
	}
}

func TestAJournalThatNamesAPodHasThePodsCommands(t *testing.T) {
	r := schema.New("")
	r.Inputs = []schema.Input{{Framing: "journald", Namespace: "shop", Pod: "web-1", Container: "web"}}
	if got := adviceText(For(r, &rules.Pass{})); !strings.Contains(got, "kubectl -n shop exec web-1") {
		t.Errorf("no kubectl in\n%s", got)
	}
}

func TestACutDumpOfWindowsSendsNobodyToACluster(t *testing.T) {
	r, pass := cutDump(stackparse.Truncation{Tail: true}, stackparse.FormatSignal, "crash.txt")
	for file, cluster := range map[string]bool{"C:/build/main.go": false, "/build/main.go": true} {
		frames := make([]stackparse.Frame, 1)
		frames[0].Func, frames[0].File, frames[0].Line = "main.main", file, 7
		pass.Dumps[0].Buckets = []*stackparse.Bucket{{Frames: frames, Count: 1}}
		r.Inputs = []schema.Input{{Path: "crash.txt"}}
		if got := adviceText(For(r, pass)); strings.Contains(got, "/var/log/pods") != cluster {
			t.Errorf("%s:\n%s", file, got)
		}
	}
}
