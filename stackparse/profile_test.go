package stackparse

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// encode writes a profile with one location a function, leaf first in each stack.
func encode(t *testing.T, sampleType string, stacks map[string][]int64) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: sampleType, Unit: "count"}}, TimeNanos: 1e18}
	funcs := map[string]*profile.Location{}
	for stack, counts := range stacks {
		s := &profile.Sample{Value: counts, Label: map[string][]string{"queue": {stack[:1]}}}
		for fn := range strings.FieldsSeq(stack) {
			loc := funcs[fn]
			if loc == nil {
				id := uint64(len(funcs) + 1)
				f := &profile.Function{ID: id, Name: fn, Filename: "/src/" + fn + ".go"}
				loc = &profile.Location{ID: id, Address: id, Line: []profile.Line{{Function: f, Line: int64(id)}}}
				funcs[fn] = loc
				p.Function = append(p.Function, f)
				p.Location = append(p.Location, loc)
			}
			s.Location = append(s.Location, loc)
		}
		p.Sample = append(p.Sample, s)
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestReadProfileCountsDistinctStacks(t *testing.T) {
	d, err := ReadProfile(encode(t, "goroutine", map[string][]int64{
		"runtime.gopark runtime.chanrecv runtime.chanrecv1 main.wait main.main": {5},
		"runtime.gopark time.Sleep main.tick":                                   {1},
	}))
	if err != nil {
		t.Fatal(err)
	}
	if d.Format != FormatProfile || d.Goroutines != 6 || len(d.Buckets) != 2 || d.Stamp != "2001-09-09T01:46:40Z" || len(d.Labels) != 2 {
		t.Errorf("dump %+v", d)
	}
	b := d.Buckets[0]
	if b.Count != 5 || b.Class != ClassChanReceive || b.Leaked || len(b.Frames) != 5 {
		t.Errorf("bucket %+v", b)
	}
	if diff := cmp.Diff([]int{3, 4}, b.Shown); diff != "" {
		t.Errorf("the runtime's leading frames count (-want +got):\n%s", diff)
	}
}

func TestReadProfileGoroutineleakIsLeaked(t *testing.T) {
	d, err := ReadProfile(encode(t, "goroutineleak", map[string][]int64{"main.f": {1}}))
	if err != nil || !d.Buckets[0].Leaked {
		t.Errorf("dump %+v, %v", d, err)
	}
}

func TestReadProfileReadsWhatTheRuntimeWrites(t *testing.T) {
	var binary, text bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&binary, 0); err != nil {
		t.Fatal(err)
	}
	if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	d, err := ReadProfile(binary.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	counted, _ := readSection(beginDebug1, text.String())
	if d.Goroutines != counted.Goroutines || d.Goroutines == 0 {
		t.Errorf("%d goroutines in the binary form, %d in the text", d.Goroutines, counted.Goroutines)
	}
}

func TestReadProfileNamesOtherProfiles(t *testing.T) {
	tests := map[string]string{
		"cpu":          "a cpu profile (cpu)",
		"inuse_space":  "a heap profile (inuse_space)",
		"contentions":  "a block or mutex profile (contentions)",
		"threadcreate": "a threadcreate profile (threadcreate)",
		"wall\x1b":     `a profile (wall\x1b)`,
	}
	for sampleType, want := range tests {
		_, err := ReadProfile(encode(t, sampleType, map[string][]int64{"main.f": {1}}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", sampleType, err, want)
		}
	}
}

func TestReadProfileRefusesWhatIsNone(t *testing.T) {
	for _, data := range []string{"", "hello", "\x1f\x8b", "\x1f\x8bgarbage", "goroutine profile: total 3\n"} {
		if d, err := ReadProfile([]byte(data)); err == nil {
			t.Errorf("%q: %+v", data, d)
		}
	}
}

func TestReadProfileIgnoresNegativeCounts(t *testing.T) {
	d, err := ReadProfile(encode(t, "goroutine", map[string][]int64{"main.f": {-4}, "main.g": {1 << 62}, "main.h": {1 << 62}}))
	if err != nil {
		t.Fatal(err)
	}
	if d.Goroutines != maxCount {
		t.Errorf("%d goroutines", d.Goroutines)
	}
	for _, b := range d.Buckets {
		if b.Count <= 0 {
			t.Errorf("bucket of %d", b.Count)
		}
	}
}

func TestCorpusCountedProfilesAreReadWhole(t *testing.T) {
	root := os.Getenv("TRIAGE_CORPUS")
	if root == "" {
		t.Skip("TRIAGE_CORPUS is not set: no real profiles to read")
	}
	files, err := filepath.Glob(filepath.Join(root, "dumps/zoo/pprof-*-goroutine-debug1.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no profiles in the corpus: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := readSection(beginDebug1, string(text))
		if d == nil || d.Truncated.Tail || d.UnparsedLines > 0 {
			t.Errorf("%s: %+v", name, d)
			continue
		}
		sum := 0
		for line := range strings.Lines(string(text)) {
			var n int
			if count, _, ok := strings.Cut(line, " @"); ok && !strings.HasPrefix(line, "#") {
				for _, c := range count {
					n = n*10 + int(c-'0')
				}
				sum += n
			}
		}
		if d.Goroutines != sum {
			t.Errorf("%s: %d goroutines, %d by the @ lines", name, d.Goroutines, sum)
		}
	}
}

func FuzzReadProfile(f *testing.F) {
	var out bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&out, 0); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte("\x0a\x04\x08\x01\x10\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ReadProfile(data)
		if (d == nil) == (err == nil) {
			t.Errorf("dump %v, error %v", d, err)
		}
	})
}
