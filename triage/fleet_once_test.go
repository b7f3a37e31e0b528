package triage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gotriage/triage/internal/fixture"
	"github.com/gotriage/triage/triage"
)

// TestAFleetGetsEachFindingOnce gives three pods the dump of a rule's fixture, each with a heap of its own, and looks for
// findings that say of one place what another one says of it: they differ by the pod alone.
func TestAFleetGetsEachFindingOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	book, err := triage.LoadRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../rules/testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files, err := fixture.Unfold(ar.Files)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(files) != 2 { // the dump and what is wanted of it
			continue
		}
		r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{threePods(t, files[0].Data)}, Book: &book})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, f := range r.Findings {
			key := fmt.Sprintf("%s %s %s:%d", f.Rule, f.Culprit.Function, f.Culprit.File, f.Culprit.Line)
			if seen[key] && f.Culprit.Function != "" {
				t.Errorf("%s: %s is reported again: %s", name, key, f.Title)
			}
			seen[key] = true
		}
	}
}

// heapAddress matches addresses as Go's heap has them.
var heapAddress = regexp.MustCompile(`0xc0[0-9a-f]{8}\b`)

// threePods writes a log to the folders of three pods, as the kubelet names them.
func threePods(t *testing.T, log []byte) string {
	t.Helper()
	dir := t.TempDir()
	for i, pod := range []string{"7d4f9c8b65-8fk2p", "7d4f9c8b65-m9xwt", "7d4f9c8b65-q4zvd"} {
		folder := filepath.Join(dir, fmt.Sprintf("shop_web-%s_0b6f2f3c-51d7-4a8e-9a53-6c1c8a7be90%d", pod, i), "web")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		moved := heapAddress.ReplaceAllStringFunc(string(log), func(s string) string {
			v, err := strconv.ParseUint(s[2:], 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%#x", v+uint64(i)<<24)
		})
		var b strings.Builder
		for line := range strings.Lines(moved) {
			b.WriteString("2026-10-01T10:00:00.000000000Z stderr F " + line)
		}
		if err := os.WriteFile(filepath.Join(folder, "0.log"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
