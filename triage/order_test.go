package triage_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/triage"
)

// selfLoopDay is the capture of a control plane in which a controller answers its own updates.
const selfLoopDay = "../testdata/cluster/self-loop-a.tar.zst"

// shuffles is how many other orders of each set's arguments are compared with the first one.
const shuffles = 2

func TestAnyOrderOfArgumentsGivesTheSameReport(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	clusters := matches(t, "cluster/*-a.tar.zst")
	dumps := captures.Dumps(t, dumpsDir)
	selfLoop, fieldFlip := captures.Unpack(t, selfLoopDay), captures.Unpack(t, "../testdata/cluster/field-flip-a.tar.zst")
	bundles, bodies := captures.Files(t, "../testdata/bundles"), []string(nil)
	for _, path := range bundles {
		if strings.HasSuffix(path, "-bodies.tar.gz") {
			bodies = append(bodies, path)
		}
	}
	sets := map[string][]string{
		"dumps":                         below(t, dumps, "go1.26/*.txt"),
		"dumps of several releases":     below(t, dumps, "go1.*/healthy-*.txt"),
		"profiles":                      captures.Files(t, "../testdata/profiles"),
		"bundles":                       bundles,
		"audit logs, objects, watches":  append(below(t, selfLoop, "*"), below(t, fieldFlip, "*")...),
		"a folder and files in it":      append(below(t, selfLoop, "*"), selfLoop, fieldFlip, clusters[0]),
		"audit logs that are copies":    auditCopies(t, filepath.Join(selfLoop, "audit-1.log")),
		"rotated logs and copies":       rotatedLogs(t),
		"bundles and audit logs beside": append(bodies, append(below(t, selfLoop, "audit-*"), below(t, fieldFlip, "audit-*")...)...),
	}
	for name, inputs := range sets {
		t.Run(name, func(t *testing.T) {
			if len(inputs) < 3 {
				t.Fatalf("%d inputs", len(inputs))
			}
			want := analysed(t, inputs)
			for seed := range uint64(shuffles) {
				other := slices.Clone(inputs)
				rand.New(rand.NewPCG(seed, 14)).Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
				if got := analysed(t, other); !bytes.Equal(got, want) {
					t.Fatalf("order %d of %d inputs: %s", seed, len(inputs), firstDifference(got, want))
				}
			}
		})
	}
}

// matches are the files and folders of testdata that the globs name.
func matches(t *testing.T, globs ...string) []string {
	t.Helper()
	return below(t, "../testdata", globs...)
}

// below are the files and folders of a folder that the globs name.
func below(t *testing.T, dir string, globs ...string) []string {
	t.Helper()
	var all []string
	for _, g := range globs {
		found, err := filepath.Glob(filepath.Join(dir, g))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

// analysed is the report of the inputs as JSON.
func analysed(t *testing.T, inputs []string) []byte {
	t.Helper()
	r, err := triage.Run(t.Context(), triage.Options{Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func firstDifference(a, b []byte) string {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return fmt.Sprintf("line %d: %s, not %s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(x), len(y))
}

// auditCopies writes an audit log as several servers or collectors may leave it: whole twice, its beginning, its end,
// and every other line.
func auditCopies(t *testing.T, from string) []string {
	t.Helper()
	whole := readFile(t, from)
	lines := strings.SplitAfter(whole, "\n")
	n := len(lines)
	var other strings.Builder
	for i := 0; i < n; i += 2 {
		other.WriteString(lines[i])
	}
	return written(t, map[string]string{
		"a.log": whole, "copy/a.log": whole, "begin.log": strings.Join(lines[:n*6/10], ""),
		"end.log": strings.Join(lines[n*4/10:], ""), "other.log": other.String(),
	})
}

// rotatedLogs writes a log in three files, and again as the API gives it.
func rotatedLogs(t *testing.T) []string {
	t.Helper()
	dump := readFile(t, "../testdata/dumps/go1.26/healthy-cache.txt")
	return written(t, map[string]string{
		"app.log.2": logOf(criLine, 0, 60, true), "app.log.1": logOf(criLine, 60*1700*1e6, 60, true),
		"app.log": logOf(criLine, 120*1700*1e6, 60, true) + dump, "api/web-1.log": logOf(apiLine, 60*1700*1e6, 120, true),
		podFolder: logOf(criLine, 30*1700*1e6, 60, true) + dump,
	})
}

// written writes the files into a new folder and returns their paths.
func written(t *testing.T, files map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}
