package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof" // the process that steps capture from is this test
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/fetch/kubectltest"
	"github.com/gotriage/triage/internal/fixture"
	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

var listSteps = flag.Bool("steps", false, "list the shapes of all next steps and how each was checked")

// TestEveryNextStepRunsAsPrinted collects the steps of all findings and advice over the fixtures, those of logs and the
// captures of published bugs and healthy programs among them, and runs them in a shell,
// in order and in one folder for each finding, so that a file that a step reads is there only if a step before it made it.
// Of the steps of one shape (names apart) one is run. kubectl is a stand-in that writes its calls down; the installed
// kubectl is then asked for each against an API server that has nothing, which it must get as far as. A process to
// capture from is this test. A step runs nowhere else than here, unless its comment says so: on a node.
func TestEveryNextStepRunsAsPrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no POSIX shell here")
	}
	x := newStepRunner(t)
	for some := range slices.Chunk(append(stepFixtures(t), wildStepFixtures(t)...), 16) {
		reports, errs := make([]*schema.Report, len(some)), make([]error, len(some))
		parallel.Each(len(some), func(i int) {
			reports[i], errs[i] = triage.Run(t.Context(), triage.Options{Inputs: some[i], Book: x.book})
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		for i, r := range reports {
			x.reported(some[i][0], r)
		}
	}
	x.report()
	t.Run("kubectl", x.askKubectl)
}

// reported checks and runs the steps of a report.
func (x *stepRunner) reported(fx string, r *schema.Report) {
	x.t.Helper()
	steptest.CheckReport(x.t, r)
	known := map[string]bool{} // inputs whose pod is known
	for _, in := range r.Inputs {
		known[in.Path] = in.Pod != "" && in.Container != ""
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		named := len(f.Evidence) > 0 && !slices.ContainsFunc(f.Evidence, func(e rules.Evidence) bool { return !known[e.Input] })
		x.all(fx+": "+f.Rule, f.Next, named)
		checkPeek(x.t, fx, f)
	}
	for _, a := range r.Advice {
		x.all(fx+": advice", a.Commands, false)
	}
}

// checkPeek fails where a step asks pprof for a function by a pattern that the culprit doesn't match.
func checkPeek(t *testing.T, where string, f *rules.Finding) {
	t.Helper()
	for _, s := range f.Next {
		_, rest, ok := strings.Cut(s.Command, " -peek '")
		if !ok {
			continue
		}
		pattern, _, _ := strings.Cut(rest, "' ")
		if re, err := regexp.Compile(pattern); err != nil || !re.MatchString(f.Culprit.Function) {
			t.Errorf("%s: %s does not match %s (%v)", where, pattern, f.Culprit.Function, err)
		}
	}
}

// stepFixtures are the inputs: dumps, profiles, bundles, pods, healthy programs and the first variants of the cluster lab,
// and the fixtures of rules that are files as they are.
func stepFixtures(t *testing.T) [][]string {
	t.Helper()
	root, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, pattern := range []string{"pods", "pods-fleet", "well/*.tar.zst", "cluster/*-a.tar.zst"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range names {
			if !strings.HasSuffix(name, ".tsv") {
				all = append(all, []string{name})
			}
		}
	}
	dumps, err := filepath.Glob(filepath.Join(captures.Dumps(t, filepath.Join(root, "dumps")), "*/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Concat(dumps, captures.Files(t, filepath.Join(root, "bundles")), captures.Files(t, filepath.Join(root, "profiles"))) {
		all = append(all, []string{name})
	}
	for _, pattern := range []string{"*.txtar", "objects/*.txtar", "meters/*.txtar"} {
		names, err := filepath.Glob(filepath.Join(root, "../rules/testdata", pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range names {
			all = append(all, []string{extract(t, name)})
		}
	}
	names, err := filepath.Glob(filepath.Join(root, "../rules/testdata/logs/*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	for _, name := range names {
		all = append(all, []string{extractLogs(t, name)})
	}
	return all
}

// extract writes a rule's fixture into a folder.
func extract(t *testing.T, name string) string {
	t.Helper()
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, err := fixture.Unfold(ar.Files)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	dir := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(name), ".txtar"))
	for _, f := range files {
		if f.Name == "want" {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(strings.Fields(f.Name)[0]))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A stepRunner runs steps and counts what it did with each shape.
type stepRunner struct {
	t       *testing.T
	book    *triage.RuleBook
	address string // of a process that serves pprof
	env     []string
	calls   string         // the file in which the stand-in for kubectl writes its calls down
	sources string         // a module under git for the steps that need a checkout
	shapes  map[string]int // shape → how often it was seen
	how     map[string]string
}

func newStepRunner(t *testing.T) *stepRunner {
	t.Helper()
	book, err := triage.LoadRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.DefaultServeMux)
	t.Cleanup(server.Close)
	x := &stepRunner{t: t, book: &book, address: strings.TrimPrefix(server.URL, "http://"),
		calls: filepath.Join(t.TempDir(), "calls"), sources: t.TempDir(), shapes: map[string]int{}, how: map[string]string{}}
	script, err := json.Marshal(kubectltest.Script{Backend: x.address, Calls: filepath.Join(t.TempDir(), "fetch"),
		Pods: []kubectltest.Pod{{Name: "pod-0", Namespace: "ns", UID: "1", Phase: "Running", Container: "app", Port: 6060}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(file, script, 0o644); err != nil {
		t.Fatal(err)
	}
	x.env = append(os.Environ(), kubectltest.Env+"="+file, "CGO_ENABLED=1", // for go build -race
		"GOFLAGS=-mod=mod", "GOWORK=off", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	x.shell(x.sources, "printf 'module example.com/m\\n' > go.mod && printf 'package m\\n\\n// http.Get(\\n' > m.go && "+
		"git init -q . && git add . && git commit -qm first")
	return x
}

// placeholder matches the words that a reader fills in.
var placeholder = regexp.MustCompile(`\b(POD|NAMESPACE|CONTAINER|FILE|BINARY|PID)\b`)

// elsewhere matches what is not run here: tools that are no part of this project or of a POSIX system, and files of a
// machine's own.
var elsewhere = regexp.MustCompile(`^(psql|ss|dmesg|staticcheck|helm|lslocks|ulimit|CC=clang|grep -m1 flags) ?|^(cat|ls|ls -l) /(proc|sys|etc)/`)

// all runs the steps of one finding or advice. named reports that the input names pod and container.
func (x *stepRunner) all(where string, steps []rules.Step, named bool) {
	x.t.Helper()
	dir := ""
	for _, s := range steps {
		key := shape(s.Command)
		x.shapes[key]++
		if named && placeholder.MatchString(s.Command) {
			x.t.Errorf("%s: the input tells what the reader is to fill in: %+v", where, s)
		}
		if x.how[key] != "" && !strings.Contains(s.Command, " > ") {
			continue
		}
		if dir == "" {
			dir = x.t.TempDir()
		}
		x.how[key] = x.one(where, dir, s)
	}
}

// one checks a step and returns how.
func (x *stepRunner) one(where, dir string, s rules.Step) string {
	x.t.Helper()
	command := s.Command
	switch {
	case placeholder.MatchString(command):
		x.syntax(where, command)
		return "syntax only: for the reader to fill in"
	case strings.HasPrefix(s.Comment, "on node ") || strings.HasPrefix(s.Comment, "on the node") ||
		strings.HasPrefix(s.Comment, "on the pod's node"):
		x.syntax(where, command)
		return "syntax only: on a node"
	case elsewhere.MatchString(command):
		x.syntax(where, command)
		return "syntax only: a tool or file that may not be here"
	case strings.HasPrefix(command, "git log "):
		dir = x.sources
		x.commit(command)
	case strings.HasPrefix(command, "grep "), strings.HasPrefix(command, "go list -m "):
		dir = x.sources
	case goCommand.MatchString(command): // -n prints what it would run, so that flags and patterns are checked
		dir = x.sources
		command = goCommand.ReplaceAllString(command, "$1 -n")
	case strings.HasPrefix(command, "triage fetch "):
		command = x.fetched(command)
	case strings.HasPrefix(command, "triage --source DIR "):
		command = strings.Replace(command, "DIR", rules.Quote(x.sources), 1)
	}
	out, err := x.shellIn(dir, command)
	if err != nil {
		x.t.Errorf("%s: %v\n%s\n%s", where, err, s.Command, out)
	}
	if strings.Contains(command, "sed -n") && len(strings.TrimSpace(string(out))) == 0 {
		x.t.Errorf("%s: it prints nothing: %s", where, s.Command)
	}
	return "run"
}

var goCommand = regexp.MustCompile(`\b(go (?:test|build|vet))\b`)

// fetched is a command that captures, from this test and without a wait.
func (x *stepRunner) fetched(command string) string {
	for old, with := range map[string]string{`fetch :6060`: "fetch " + x.address, `fetch https?://\S+`: "fetch " + x.address,
		`fetch pod/\S+`: "fetch pod/pod-0", ` -n \S+`: " -n ns", ` -c \S+`: " -c app", `--interval \S+`: "--interval 1ms",
		`$`: " --seconds 1 --stacks"} {
		command = regexp.MustCompile(old).ReplaceAllString(command, with)
	}
	if !strings.Contains(command, "--only") { // a profile of a second would cost one
		command += " --skip cpu,allocs,mutex,block,threadcreate,goroutineleak"
	}
	return command
}

// commit adds the file that a git log asks for to the checkout: below a folder where it is looked for anywhere.
// TestGitLogRunsInTheProgramsCheckout runs it where the file really lies.
func (x *stepRunner) commit(command string) {
	x.t.Helper()
	m := regexp.MustCompile(`-L(\d+),\d+:(?:"\$\(git ls-files (?:\S+ )?(':\(glob\)\S+')\)"|(\S+))$`).FindStringSubmatch(command)
	if m == nil {
		x.t.Fatalf("no line of a file: %s", command)
	}
	name := strings.Replace(strings.Trim(m[2]+m[3], "'"), ":(glob)**/", "below/", 1)
	file := filepath.Join(x.sources, filepath.FromSlash(name))
	line, err := strconv.Atoi(m[1])
	if err != nil || !filepath.IsLocal(filepath.FromSlash(name)) {
		x.t.Errorf("a file outside of a checkout: %s", command)
		return
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("package m\n"+strings.Repeat("\n", line)), 0o644); err != nil {
		x.t.Fatal(err)
	}
	x.shell(x.sources, "git add -A && git commit -q --allow-empty -m next")
}

// syntax fails where a shell cannot read a command.
func (x *stepRunner) syntax(where, command string) {
	x.t.Helper()
	if out, err := exec.Command("sh", "-n", "-c", command).CombinedOutput(); err != nil {
		x.t.Errorf("%s: %v\n%s\n%s", where, err, command, out)
	}
}

func (x *stepRunner) shellIn(dir, command string) ([]byte, error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, x.env
	if !strings.HasPrefix(command, "triage fetch ") {
		cmd.Env = append(slices.Clip(cmd.Env), callsEnv+"="+x.calls)
	}
	return cmd.CombinedOutput()
}

func (x *stepRunner) shell(dir, command string) {
	x.t.Helper()
	if out, err := x.shellIn(dir, command); err != nil {
		x.t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// shape is a command without the names in it: of files, objects, functions, numbers and users.
func shape(command string) string {
	words := shellWord.FindAllString(command, -1)
	for i, w := range words {
		previous := ""
		if i > 0 {
			previous = words[i-1]
		}
		switch {
		case previous == "-n" || previous == "-c" || previous == "--object" || previous == "--user" || previous == "--resource" ||
			previous == "--code" || previous == "-peek" || previous == "-tagfocus" || previous == "--filter":
			words[i] = "NAME"
		case placeholder.MatchString(w) || strings.HasPrefix(w, "-") && !strings.ContainsAny(w, "0123456789"):
		case strings.ContainsAny(w, "/0123456789.-"):
			words[i] = "NAME" + filepath.Ext(strings.Trim(w, "'"))
		}
	}
	return strings.Join(words, " ")
}

var shellWord = regexp.MustCompile(`(?:[^ '"]|'[^']*'|"[^"]*")+`)

// report logs how many steps there were, and how they were checked.
func (x *stepRunner) report() {
	steps, by := 0, map[string]int{}
	for key, n := range x.shapes {
		steps += n
		by[x.how[key]]++
	}
	x.t.Logf("%d steps of %d shapes: %v", steps, len(x.shapes), by)
	if *listSteps {
		for _, key := range slices.Sorted(maps.Keys(x.shapes)) {
			x.t.Logf("%5d  %-8s  %s", x.shapes[key], x.how[key], key)
		}
	}
}

// callsEnv names the file in which the stand-in for kubectl writes its calls down.
const callsEnv = "TRIAGE_TEST_KUBECTL_CALLS"

// recordKubectl is kubectl for steps: it writes its arguments down, and prints a log with a dump where it is asked for
// one.
func recordKubectl(file string, args []string) int {
	line, err := json.Marshal(args)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err == nil {
			_, err = f.Write(append(line, '\n'))
			f.Close()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if slices.Contains(args, "logs") {
		fmt.Print("panic: boom client-side throttling\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:3 +0x1d\n")
	} else {
		fmt.Println("apiserver_request_duration_seconds_sum leases False")
	}
	return 0
}

// askKubectl runs the calls of the steps with the installed kubectl, against a server that has nothing.
func (x *stepRunner) askKubectl(t *testing.T) {
	kubectl := installed("kubectl")
	if kubectl == "" {
		t.Skip("kubectl is not installed: its subcommands and flags were not checked")
	}
	const missing = "the server could not find the requested resource"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":%q}`, missing)
	}))
	defer server.Close()
	data, err := os.ReadFile(x.calls)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	var calls [][]string
	for line := range strings.Lines(string(data)) {
		var args []string
		if err := json.Unmarshal([]byte(line), &args); err != nil {
			t.Fatal(err)
		}
		key := kubectlShape(args)
		if asked[key] {
			continue
		}
		asked[key] = true
		// Flags that come before the command are kubectl's own; those of the test come first.
		calls = append(calls, append([]string{"--server=" + server.URL, "--kubeconfig=" + os.DevNull, "--cache-dir=" + t.TempDir()},
			args...))
	}
	parallel.Each(len(calls), func(i int) {
		out, err := exec.Command(kubectl, calls[i]...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), missing) {
			t.Errorf("kubectl %s: %v\n%s", strings.Join(calls[i], " "), err, out)
		}
	})
	t.Logf("%d calls asked of %s", len(asked), kubectl)
}

// kubectlShape is a call without the names of objects.
func kubectlShape(args []string) string {
	var words []string
	positional := 0
	for i, a := range args {
		switch {
		case i > 0 && (args[i-1] == "-n" || args[i-1] == "-c" || args[i-1] == "-l"):
			a = "NAME"
		case strings.HasPrefix(a, "-"):
		case positional == 0:
			positional++
		case positional == 1 && slices.Contains(words, "get") || slices.Contains(words, "describe") || slices.Contains(words, "rollout"):
			positional++
			a, _, _ = strings.Cut(a, ".")
		default:
			positional++
			a = "NAME"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// installed is a program outside of the folder with the programs of this test, "" for none.
func installed(name string) string {
	own, _ := exec.LookPath("triage")
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if file, err := exec.LookPath(filepath.Join(dir, name)); err == nil && dir != filepath.Dir(own) {
			return file
		}
	}
	return ""
}
