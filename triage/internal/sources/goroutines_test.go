package sources

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"

	pprofile "github.com/google/pprof/profile"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse"
)

// goroutineDump reads a binary goroutine profile as the engine does.
func goroutineDump(t *testing.T, data []byte) *stackparse.Dump {
	t.Helper()
	p, err := profile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return goroutinesOf(p)
}

func TestAGoroutineProfileIsADumpAsTheRuntimeCountsIt(t *testing.T) {
	var binary bytes.Buffer
	before, total := -1, goroutinesInText(t)
	for before != total { // a goroutine of a test before may end in between
		binary.Reset()
		before = total
		if err := pprof.Lookup("goroutine").WriteTo(&binary, 0); err != nil {
			t.Fatal(err)
		}
		total = goroutinesInText(t)
	}
	if d := goroutineDump(t, binary.Bytes()); d.Goroutines != total || d.Stamp == "" {
		t.Errorf("%d goroutines at %q, %d in the text", d.Goroutines, d.Stamp, total)
	}
}

// goroutinesInText is how many goroutines the text of the profile counts now.
func goroutinesInText(t *testing.T) (total int) {
	t.Helper()
	var text bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(text.String(), "goroutine profile: total %d", &total); err != nil {
		t.Fatal(err)
	}
	return total
}

// The stacks of a binary without names differ in addresses only.
func TestGoroutinesWithoutNamesDifferByAddress(t *testing.T) {
	locs := []*pprofile.Location{{ID: 1, Address: 0x4711}, {ID: 2, Address: 0x4712}}
	p := &pprofile.Profile{SampleType: []*pprofile.ValueType{{Type: "goroutine", Unit: "count"}}, Location: locs}
	for i, loc := range locs {
		p.Sample = append(p.Sample, &pprofile.Sample{Location: []*pprofile.Location{loc}, Value: []int64{int64(2 - i)}, Label: map[string][]string{"queue": {"a"}}})
	}
	var data bytes.Buffer
	if err := p.Write(&data); err != nil {
		t.Fatal(err)
	}
	d := goroutineDump(t, data.Bytes())
	if len(d.Buckets) != 2 || d.Buckets[0].Frames[0].Func != "0x4711" || d.Buckets[0].Frames[0].File != "" || d.Buckets[0].Count != 2 {
		t.Errorf("buckets %+v", d.Buckets)
	}
	if len(d.Labels) != 2 || d.Labels[1] != "queue: a" {
		t.Errorf("labels %q", d.Labels)
	}
}

// CockroachDB's goroutine?debug=3 has a sample for each goroutine, with numbers as labels.
func TestAProfileOfSingleGoroutinesHasTheirIDs(t *testing.T) {
	fn := &pprofile.Function{ID: 1, Name: "main.wait", Filename: "/src/main.go"}
	loc := &pprofile.Location{ID: 1, Address: 0x4711, Line: []pprofile.Line{{Function: fn, Line: 7}}}
	p := &pprofile.Profile{SampleType: []*pprofile.ValueType{{Type: "goroutine", Unit: "count"}},
		Location: []*pprofile.Location{loc}, Function: []*pprofile.Function{fn}}
	for id := range int64(3) {
		p.Sample = append(p.Sample, &pprofile.Sample{Location: []*pprofile.Location{loc}, Value: []int64{1},
			Label: map[string][]string{"go::goroutine_state": {"select"}},
			NumLabel: map[string][]int64{"go::goroutine": {id + 20}, "go::goroutine_created_by": {1},
				"go::goroutine_wait_minutes": {5}},
			NumUnit: map[string][]string{"go::goroutine_wait_minutes": {"minutes"}}})
	}
	var data bytes.Buffer
	if err := p.Write(&data); err != nil {
		t.Fatal(err)
	}
	d := goroutineDump(t, data.Bytes())
	if d.Counted() || len(d.Buckets) != 1 || d.Buckets[0].Class != stackparse.ClassSelect {
		t.Fatalf("dump %+v", d)
	}
	for i, g := range d.Buckets[0].Goroutines {
		if g.ID != uint64(20+i) || g.Parent != 1 || g.Minutes != 5 {
			t.Errorf("goroutine %+v", g)
		}
	}
}

func TestJoinedProfilesAreToBeNamedOneByOne(t *testing.T) {
	var one bytes.Buffer
	if err := pprof.Lookup("heap").WriteTo(&one, 0); err != nil {
		t.Fatal(err)
	}
	_, err := profile.Read(bytes.Repeat(one.Bytes(), 2))
	if hint := brokenHint(err, "heap.pb.gz"); !strings.Contains(hint, "pass the original files") {
		t.Errorf("%v: %s", err, hint)
	}
	_, err = profile.Read(one.Bytes()[:one.Len()/2])
	if hint := brokenHint(err, "heap.pb.gz"); !strings.Contains(hint, "complete?") {
		t.Errorf("%v: %s", err, hint)
	}
}

// TestALineWithoutFramingIsOfNoContainer: a header that no framing precedes begins no goroutine of the container, even
// where the container's lines follow it.
func TestALineWithoutFramingIsOfNoContainer(t *testing.T) {
	const stamp = "2026-11-20T18:05:32.5Z"
	for name, w := range map[string]struct{ head, tail, tab string }{
		"CRI":    {head: stamp + " stderr F ", tab: "\t"},
		"docker": {head: `{"log":"`, tail: `\n","stream":"stderr","time":"` + stamp + `"}`, tab: `\t`},
		"syslog": {head: "<11>Nov 20 18:05:32 node1 app[7]: ", tab: "#011"},
	} {
		var in strings.Builder
		for i := range 40 {
			head := w.head
			if i%4 == 3 {
				head = ""
			}
			in.WriteString(head + fmt.Sprintf("goroutine %d [chan receive]:", i+1) + w.tail + "\n")
			for _, line := range []string{"main.work(0x1)", w.tab + "/src/main.go:7 +0x1d", ""} {
				in.WriteString(w.head + line + w.tail + "\n")
			}
		}
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, []byte(in.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		most := 0
		batches, skips := ReadAll(t.Context(), Options{Inputs: []string{path}})
		for _, r := range batches[0] {
			for _, d := range r.Dumps {
				most = max(most, d.Dump.Goroutines)
			}
		}
		if most != 30 || len(skips) > 0 {
			t.Errorf("%s: %d goroutines of the container, want 30; skipped %v", name, most, skips)
		}
	}
}
