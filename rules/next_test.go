package rules

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

func TestCommandsNameTheProcess(t *testing.T) {
	known := Target{
		Namespace: "shop", Pod: "web-5c9d", Container: "app", Node: "node-3",
		LogPath: "/var/log/pods/shop_web-5c9d_11-22/app/1.log",
	}
	for _, tt := range []struct{ claim, got, want string }{
		{"abort", known.Abort(), "kubectl -n shop exec web-5c9d -c app -- kill -ABRT 1"},
		{"abort without a shell", known.AbortDebug(), "kubectl -n shop debug -it web-5c9d --image=busybox " +
			"--target=app -- kill -ABRT 1"},
		{"the previous log", known.LogsPrevious(), "kubectl -n shop logs -p web-5c9d -c app"},
		{"the node's files", known.NodeLogs(), "ls -l /var/log/pods/shop_web-5c9d_11-22/app  # on node node-3"},
		{"the node's files without a path", Target{Namespace: "shop", Pod: "web-0", Container: "app"}.NodeLogs(),
			"ls -l /var/log/pods/shop_web-0_*/app  # on the pod's node"},
		{"no container", Target{Pod: "web-0"}.Abort(), "kubectl exec web-0 -- kill -ABRT 1"},
		{"nothing known", Target{}.Abort(), "kill -ABRT PID"},
		{"the pod", known.Describe(), "kubectl -n shop describe pod web-5c9d"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.claim, tt.got, tt.want)
		}
	}
}

// hostile are names that a log or a path may hold.
func hostile() []string {
	return []string{
		"web; rm -rf /", "$(id)", "`id`", "a'b", `a"b`, "a b", "", "-rf", "--all", "~root", "#x", "a\nb", "a\x1b[31mb",
		"*", "a&b|c>d",
		"\u202eevil", "имя",
	}
}

func TestAQuotedNameIsOneWordOfAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no POSIX shell here")
	}
	for _, name := range hostile() {
		// The word must come out as it went in, but for control characters and the folder put before a dash.
		out, err := exec.Command(sh, "-c", "printf '%s|' "+Quote(name)).Output()
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		want := strings.NewReplacer("\n", "", "\x1b", "", "\u202e", "").Replace(name)
		if strings.HasPrefix(want, "-") {
			want = "./" + want
		}
		if string(out) != want+"|" {
			t.Errorf("%q became %q", name, out)
		}
	}
}

func TestCommandsOfHostileNamesStayOneLine(t *testing.T) {
	for _, name := range hostile() {
		target := Target{Namespace: name, Pod: "x" + name, Container: name, Node: name,
			LogPath: "/var/log/pods/" + name + "/1.log"}
		for _, cmd := range append(target.CollectDump(), target.AbortDebug(), target.Logs(), target.Top(),
			target.PortForward()) {
			if strings.ContainsAny(cmd, "\n\x1b\u202e") {
				t.Errorf("%q", cmd)
			}
		}
	}
}
