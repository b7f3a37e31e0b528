package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrapCommand_BreaksOnlyWhereTheShellDoes(t *testing.T) {
	for _, c := range []struct {
		cmd     string
		comment string
		want    []string
	}{
		{"short one", "", []string{"short one"}},
		{"kubectl -n shop logs pod", "", []string{`kubectl -n shop \`, "  logs pod"}},
		{"triage fetch x --port 60", "", []string{`triage fetch x \`, "  --port 60"}},
		{`sh -c 'one two three four five'`, "", []string{`sh -c \`, "  'one two three four five'"}},
		{`echo "a \" b c d e f g" x`, "", []string{`echo \`, `  "a \" b c d e f g" \`, "  x"}},
		{`cat a\ b\ c\ d\ e\ f\ g h`, "", []string{`cat \`, `  a\ b\ c\ d\ e\ f\ g \`, "  h"}},
		{"ls /var/log/x", "on the node", []string{"# on the node", "ls /var/log/x"}},
		{"ls /var/log/pods/x", "on", []string{"# on", "ls /var/log/pods/x"}},
		{"curl host#part and more", "", []string{`curl host#part \`, "  and more"}},
		{"'never closed and long enough", "", []string{"'never closed and long enough"}},
	} {
		if diff := cmp.Diff(c.want, wrapCommand(c.cmd, c.comment, 18)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.cmd, diff)
		}
	}
}

func TestWrap_KeepsEveryWordAndTheWidth(t *testing.T) {
	text := "Wait on a channel, a sync.Cond or a context; 世界世界世界世界世界 " + strings.Repeat("x", 50)
	for _, w := range []int{8, 13, 40, 200} {
		lines := wrap(text, w)
		for _, l := range lines {
			if width(l) > w {
				t.Errorf("width %d: %q has %d columns", w, l, width(l))
			}
		}
		if got, want := strings.Join(lines, ""), strings.ReplaceAll(text, " ", ""); strings.ReplaceAll(got, " ", "") != want {
			t.Errorf("width %d: %q", w, got)
		}
	}
}

func TestWrap_BreaksALongNameWhereOneEndsOrAtASeparator(t *testing.T) {
	for word, want := range map[string][]string{
		"monitoring/prometheus-rancher":         {"monitoring/", "prometheus-rancher"},
		"shop/prometheus-rancher-monitoring-db": {"shop/prometheus-", "rancher-monitoring", "-db"},
		"prometheusranchermonitoring":           {"prometheusrancherm", "onitoring"},
		"a-prometheusranchermonitoring":         {"a-prometheusranche", "rmonitoring"},
	} {
		if diff := cmp.Diff(want, wrap(word, 18)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
	}
}

func TestWidth_CountsColumns(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "世界": 4, "e\u0301": 1, "▶ …": 3, "한글": 4, "😀": 2} {
		if got := width(s); got != want {
			t.Errorf("width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestInputNames_AreShortAndDistinct(t *testing.T) {
	for in, want := range map[string]string{"/a/b/1.log": "1.log", `C:\logs\1.log`: `1.log`, "1.log": "1.log", "/a/b/": "b/"} {
		if got := lastElements(in, 1); got != want {
			t.Errorf("lastElements(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCutRemark_LeavesNoBracketOpen(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"agent (agent/v1 (linux/amd64))", 40, "agent (agent/v1 (linux/amd64))"},
		{"release-agent (agent/v1 (linux/amd64))", 30, "release-agent"},
		{"release-agent (agent/v1) patches it", 20, "release-agent …"},
		{"waits in store.(*Dir).Write (store.go:62)", 36, "waits in store.(*Dir).Write"},
		{"waits in store.(*Directory).Write", 20, "waits in store.(*Di…"},
		{"a (remark that is all there is to say of it)", 20, "a (remark that is a…"},
		{"release-agent (v1) and (v2) do", 26, "release-agent (v1) and …"},
	} {
		if got := cutRemark(c.in, c.w, "…"); got != c.want {
			t.Errorf("%q in %d columns: %q, not %q", c.in, c.w, got, c.want)
		}
	}
}
