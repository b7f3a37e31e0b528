package stackparse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/symbol"
)

// wordsByArgs prints the words of Bucket.Args that samples are made of.
func wordsByArgs(b *Bucket) string {
	var all []string
	args := b.Args()
	for i, f := range b.Frames[:min(len(b.Frames), maxArgs)] {
		if f.Elided != 0 {
			break
		}
		own := true
		for _, prefix := range []string{"runtime.", "internal/runtime/", "runtime/internal/", "sync.", "internal/sync.", "internal/poll.runtime_"} {
			own = own && !strings.HasPrefix(f.Func, prefix)
		}
		if !own || symbol.PackageOf(f.Func) == "" {
			continue
		}
		for n, a := range args[i].Words[:min(len(args[i].Words), 4)] {
			if !a.Known || a.Value < 64<<10 || a.Value >= 1<<48 {
				continue
			}
			mark := ""
			if a.Uncertain {
				mark = "?"
			}
			all = append(all, fmt.Sprintf("%d/%d=%#x%s", i, n, a.Value, mark))
		}
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, " ")
}

// diffSamples compares what was sampled of each bucket's first goroutine with what Args reads, and returns how many
// words were equal.
func diffSamples(t *testing.T, name string, text []byte) int {
	t.Helper()
	n := 0
	for _, d := range parse(text) {
		for _, b := range d.Buckets {
			if len(b.Goroutines) == 0 || b.Class == ClassIdle || b.Class == ClassGC {
				continue
			}
			got, want := sampleText(b, 0), wordsByArgs(b)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: goroutine %d, %s: Args (-), Samples (+):\n%s", name, b.Goroutines[0].ID, stackLine(b.Frames), diff)
			}
			if got != "none" {
				n += strings.Count(got, "=")
			}
		}
	}
	return n
}

func TestFixtures_SampledWordsAreThoseThatPanicparseReads(t *testing.T) {
	n := 0
	dir := captures.Dumps(t, fixtures)
	for _, row := range plainDumps(t) {
		n += diffSamples(t, row["file"], readFixture(t, dir, filepath.FromSlash(row["file"])))
	}
	if n < 5000 {
		t.Errorf("only %d words compared", n)
	}
	t.Logf("%d words", n)
}

func TestCorpus_SampledWordsAreThoseThatPanicparseReads(t *testing.T) {
	dir := corpus(t)
	n := 0
	for _, pattern := range []string{"dumps/*.txt", "dumps/*/*.txt", "goker-dev/*/dump.txt"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(dir, file)
			n += diffSamples(t, rel, text)
		}
	}
	t.Logf("%d words", n)
}
