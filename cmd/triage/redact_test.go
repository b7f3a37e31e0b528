package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/redact"
	"github.com/gotriage/triage/triage"
)

// verdict is what a report says, in words, with pseudonyms turned back into what they stand for.
func verdict(t *testing.T, input string, names map[string]string) []string {
	t.Helper()
	r, err := triage.Run(context.Background(), triage.Options{Inputs: []string{input}})
	if err != nil {
		t.Fatal(err)
	}
	shape := regexp.MustCompile(`\b(ip|mac|host|mail|token|password|pem|word|machine|user)-\d+\b`)
	var all []string
	for i := range r.Findings {
		f := &r.Findings[i]
		line := fmt.Sprintf("%s %s %s %q %s:%d", f.Rule, f.Severity, f.Confidence, f.Title, f.Culprit.Function, f.Culprit.Line)
		all = append(all, shape.ReplaceAllStringFunc(line, func(p string) string {
			if v, ok := names[p]; ok {
				return v
			}
			return p
		}))
	}
	goroutines := 0
	for _, d := range r.Dumps {
		goroutines += d.Goroutines
	}
	return append(all, fmt.Sprintf("%d dumps, %d goroutines, %d profiles", len(r.Dumps), goroutines, len(r.Profiles)))
}

// mapOf reads what --map writes.
func mapOf(t *testing.T, text string) map[string]string {
	t.Helper()
	names := map[string]string{}
	for line := range strings.Lines(text) {
		name, quoted, _ := strings.Cut(strings.TrimSpace(line), "\t")
		value, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, ok := names[name]; !ok { // a node's short name has the pseudonym of its full one
			names[name] = value
		}
	}
	return names
}

func TestARedactedCopyHasTheSameFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	root := filepath.Join("..", "..", "testdata")
	inputs := []string{filepath.Join(root, "pods"), filepath.Join(captures.Dumps(t, filepath.Join(root, "dumps"),
		"go1.26"), "go1.26"), filepath.Join(root, "profiles", "all.tar.xz")}
	inputs = append(inputs, captures.Files(t, filepath.Join(root, "bundles"))...)
	if os.Getenv("TRIAGE_ALL") != "" { // a quarter of an hour
		all, err := filepath.Glob(filepath.Join(root, "[!b]*", "*.tar.*"))
		if err != nil {
			t.Fatal(err)
		}
		deeper, err := filepath.Glob(filepath.Join(root, "[!bg]*", "*", "*.tar.*"))
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(append(append(inputs, filepath.Join(root, "pods-fleet")), all...), deeper...)
	}
	if dir := os.Getenv("TRIAGE_CORPUS"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "bundles", "*.zip"))
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(append(inputs, more...), filepath.Join(dir, "bundles", "cri"), filepath.Join(dir, "dumps", "wrapped"), filepath.Join(dir, "dumps", "harvester-2558.txt"))
	}
	for _, in := range inputs {
		t.Run(filepath.Base(in), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), strings.Replace(filepath.Base(in), ".tar.xz", ".tar.gz", 1))
			var names strings.Builder
			if _, err := redact.Copy(context.Background(), in, out, redact.CopyOptions{Options: redact.Options{Map: &names}}); err != nil {
				t.Fatal(err)
			}
			if was, is := verdict(t, in, nil), verdict(t, out, mapOf(t, names.String())); !slices.Equal(was, is) {
				t.Errorf("original:\n%s\ncopy:\n%s", strings.Join(was, "\n"), strings.Join(is, "\n"))
			}
		})
	}
}

func TestRedact_KeepTakesAList(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.log")
	if err := os.WriteFile(in, []byte("at 10.0.0.1 by bob@acme.example.net\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := run(t.Context(), nil, "redact", "-q", "--keep", "ip,mail", in, "-"); code != exitOK || !strings.HasPrefix(out, "at 10.0.0.1 by bob@") {
		t.Errorf("exit status %d, %q, %q", code, out, errs)
	}
	for _, list := range []string{"", "ip,", "ip,10.0.0.0/33"} {
		if code, _, errs := run(t.Context(), nil, "redact", "--keep", list, in, "-"); code != exitUsage || !strings.Contains(errs, "word, secret") {
			t.Errorf("%q: exit status %d, %q", list, code, errs)
		}
	}
	if code, _, errs := run(t.Context(), nil, "redact", filepath.Dir(in), "-"); code != exitUsage || !strings.Contains(errs, "needs a name") {
		t.Errorf("exit status %d, %q", code, errs)
	}
}

func TestTheMapIsForItsOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := t.TempDir()
	in, names := filepath.Join(dir, "in.log"), filepath.Join(dir, "names.tsv")
	if err := os.WriteFile(in, []byte("at 10.0.0.1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	std := Std{Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }}
	if code := Main(context.Background(), []string{"redact", "--map", names, in, filepath.Join(dir, "out.log")}, std); code != exitOK {
		t.Fatalf("exit status %d", code)
	}
	info, err := os.Stat(names)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if code := Main(context.Background(), []string{"redact", "--map", filepath.Join(dir, "more.tsv"), filepath.Join(dir, "none"), filepath.Join(dir, "out2")}, std); code != exitUnreadable {
		t.Errorf("exit status %d without an input", code)
	}
	if _, err := os.Stat(filepath.Join(dir, "more.tsv")); err == nil {
		t.Error("a map without a copy was left")
	}
}
