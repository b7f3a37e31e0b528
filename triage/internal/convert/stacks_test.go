package convert_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/convert"
)

// TestTheProfileOfADumpHasAllItsGoroutines holds for every dump of testdata: pprof accepts the profile, and its first
// values add up to the goroutines.
func TestTheProfileOfADumpHasAllItsGoroutines(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(captures.Dumps(t, "../../../testdata/dumps"), "*/*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no dumps in testdata: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dumps, err := stackparse.Parse(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dumps {
			p := convert.DumpStacks(&rules.DumpInput{Dump: d, Roles: make([]*rules.Role, len(d.Buckets))}, "")
			if err := p.CheckValid(); err != nil {
				t.Errorf("%s:%d: %v", name, d.Line, err)
			}
			n, listed := int64(0), 0
			for _, s := range p.Sample {
				n += s.Value[0]
			}
			for _, b := range d.Buckets {
				listed += b.Count
			}
			if n != int64(listed) {
				t.Errorf("%s:%d: %d goroutines in the profile, %d in the dump", name, d.Line, n, listed)
			}
		}
	}
}
