// Package injections puts texts of strangers into every kind of input and looks at what triage makes of them with what
// people look at reports with: a terminal, a Markdown renderer, an agent. Package browser opens the pages.
package injections

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const source = "inputs"

// built is the folder with the binaries and, in "in", the inputs of each text by its number; 0 is harmless.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "triage-injections")
	if err != nil {
		return "", err
	}
	for _, pkg := range []string{filepath.Join("..", "..", "cmd", "triage"), source} {
		cmd := exec.Command("go", "build", "-o", dir+string(filepath.Separator), ".")
		cmd.Dir = pkg
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	if out, err := exec.Command(filepath.Join(dir, "inputs"), filepath.Join(dir, "in")).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// A stranger is one text, with the folder of inputs that it is in.
type stranger struct {
	kind, name, text string
	dir              string
}

// sampled is one in how many texts are shown under -short: all take a minute of two processors.
const sampled = 8

// eachText runs a test for each text of one of the kinds, of all where none is given.
func eachText(t *testing.T, kinds string, run func(t *testing.T, s stranger)) {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(source, "texts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(table)) {
		if n++; testing.Short() && n%sampled != 0 {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		text, err := strconv.Unquote(f[2])
		if err != nil {
			t.Fatal(err)
		}
		if s := (stranger{f[0], f[1], text, filepath.Join(dir, "in", strconv.Itoa(n))}); strings.Contains(kinds, s.kind) {
			t.Run(s.kind+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				run(t, s)
			})
		}
	}
	if n < 200 {
		t.Errorf("%d texts", n)
	}
}

const everyKind = "terminal page markdown agent shell"

// triage runs the binary. Exit statuses that are about findings are fine.
func triage(t testing.TB, args ...string) (out, messages []byte) {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(filepath.Join(dir, "triage"), args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var status *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &status) || status.ExitCode() > 4 || status.ExitCode() < 0) {
		t.Fatalf("triage %q: %v\n%s", args, err, stderr.Bytes())
	}
	return stdout.Bytes(), stderr.Bytes()
}

// entries are the files and folders of a text's inputs: each alone has few findings, which every report shows in full.
func (s stranger) entries(t testing.TB) (all []string) {
	t.Helper()
	list, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		all = append(all, filepath.Join(s.dir, e.Name()))
	}
	return all
}

// Without this the other tests could pass over inputs that triage does not look into.
func TestTheInputsReachEveryPartOfAReport(t *testing.T) {
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	out, _ := triage(t, "-o", "json", filepath.Join(dir, "in", "0"))
	var r struct {
		Inputs, Pods, Patterns []json.RawMessage
		Leads                  []struct{ Finding string }
		Findings               []struct {
			Rule, Title, Why string
			Culprit, Object  json.RawMessage
			Actors           []string
			Evidence, Next   []json.RawMessage
		}
		Audit, Cluster json.RawMessage
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	held := map[string]int{}
	in := func(part string, value ...any) {
		for _, v := range value {
			if text, err := json.Marshal(v); err == nil && strings.Contains(string(text), "harmless") {
				held[part]++
			}
		}
	}
	for _, f := range r.Findings {
		in("title", f.Title)
		in("why", f.Why)
		in("culprit", f.Culprit)
		in("object", f.Object)
		in("actors", f.Actors)
		in("evidence", f.Evidence)
		in("next", f.Next)
	}
	in("inputs", r.Inputs)
	in("pods", r.Pods)
	in("patterns", r.Patterns)
	in("audit", r.Audit)
	in("cluster", r.Cluster)
	if len(r.Findings) < 15 || len(held) < 12 {
		t.Errorf("%d findings; the text is in %v", len(r.Findings), held)
	}
}
