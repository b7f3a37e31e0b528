package stackparse

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/maruel/panicparse/v2/stack"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/stackparse/frame"
)

// A stackCall is what both parsers return about a frame.
type stackCall struct {
	Func, File string
	Line       int
	Args       Args
}

// argsOf are the words of a call; "(...)", which marks an inlined one, has none and is not cut.
func argsOf(a stack.Args) Args {
	words := flatten(nil, &a)
	return Args{Words: words, Cut: a.Elided && len(words) > 0}
}

// flatten appends the words of a in order, the fields of aggregates in place.
func flatten(words []Arg, a *stack.Args) []Arg {
	for i := range a.Values {
		v := &a.Values[i]
		if !v.IsAggregate {
			words = append(words, Arg{Value: v.Value, Uncertain: v.IsInaccurate, Known: !v.IsOffsetTooLarge})
			continue
		}
		words = flatten(words, &v.Fields)
		if v.Fields.Elided {
			words = append(words, Arg{})
		}
	}
	return words
}

// panicparsed reads text with panicparse, names, locations and words, by goroutine id. It returns nil where panicparse
// cannot read the text whole: it ends at lines that it does not know.
func panicparsed(text []byte, goroutines int) map[uint64][]stackCall {
	got := map[uint64][]stackCall{}
	n := 0
	rest := io.Reader(bytes.NewReader(text))
	for {
		snapshot, suffix, err := stack.ScanSnapshot(rest, io.Discard, &stack.Opts{})
		if snapshot != nil {
			for _, g := range snapshot.Goroutines {
				n++
				if _, seen := got[uint64(g.ID)]; seen {
					continue
				}
				calls := []stackCall{}
				for i := range g.Stack.Calls {
					c := &g.Stack.Calls[i]
					if c.RemoteSrcPath == "<unavailable>" {
						continue // its mark for a goroutine on another thread
					}
					if c.RemoteSrcPath == "" {
						return nil // it ended in the middle of a stack
					}
					calls = append(calls, stackCall{frame.SourceName(c.Func.Complete, c.RemoteSrcPath), c.RemoteSrcPath, c.Line,
						argsOf(c.Args)})
				}
				got[uint64(g.ID)] = calls
			}
		}
		if err != nil {
			break
		}
		rest = io.MultiReader(bytes.NewReader(suffix), rest)
	}
	if n != goroutines {
		return nil
	}
	return got
}

// diffPanicparse compares the first goroutine of each bucket, and the ids of all. It reports whether it could.
func diffPanicparse(t *testing.T, name string, text []byte) bool {
	t.Helper()
	sum := 0
	dumps := parse(text)
	for _, d := range dumps {
		if d.Format != FormatSignal && d.Format != FormatDebug2 {
			return false
		}
		sum += d.Goroutines
	}
	theirs := panicparsed(text, sum)
	if theirs == nil || sum == 0 {
		return false
	}
	for _, d := range dumps {
		for _, b := range d.Buckets {
			for i := range b.Goroutines {
				if _, ok := theirs[b.Goroutines[i].ID]; !ok {
					t.Errorf("%s: goroutine %d is none for panicparse", name, b.Goroutines[i].ID)
				}
			}
			first := b.Goroutines[0]
			if first.ID == 0 || len(dumps) > 1 || d.Threads > 0 || b.Count > 1 && first.Flags&FlagCut != 0 {
				continue // ids repeat there
			}
			ours := []stackCall{}
			for i, args := range b.Args() {
				if f := &b.Frames[i]; f.Elided == 0 {
					args.AtEntry, args.Offset = false, 0 // panicparse has neither
					ours = append(ours, stackCall{f.Func, f.File, f.Line, args})
				}
			}
			if diff := cmp.Diff(theirs[first.ID], ours); diff != "" {
				t.Errorf("%s: goroutine %d, panicparse (-), ours (+):\n%s", name, first.ID, diff)
			}
		}
	}
	return true
}

func TestFixtures_AgreeWithPanicparse(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	read, unread := 0, []string{}
	dir := captures.Dumps(t, fixtures)
	for _, row := range plainDumps(t) {
		if row["kind"] == "multi-line" {
			continue // panicparse takes the header in the panic's text for one
		}
		text := readFixture(t, dir, filepath.FromSlash(row["file"]))
		if diffPanicparse(t, row["file"], text) {
			read++
			continue
		}
		unread = append(unread, row["file"])
	}
	t.Logf("%d compared; panicparse does not read %s", read, strings.Join(unread, " "))
	if read < 200 {
		t.Errorf("only %d compared", read)
	}
}

func TestCorpus_AgreesWithPanicparse(t *testing.T) {
	dir := corpus(t)
	read, all := 0, 0
	for _, pattern := range []string{"dumps/*.txt", "dumps/*/*.txt", "goker-dev/*/dump.txt"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if corpusExceptions[filepath.Base(file)].fake > 0 {
				continue // panicparse takes a header in the panic's text for one
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all++
			rel, _ := filepath.Rel(dir, file)
			if diffPanicparse(t, rel, text) {
				read++
			}
		}
	}
	t.Logf("%d of %d compared", read, all)
}
