package waitgraph

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func TestObjects_AreLocksAndWhatSeveralWaitFor(t *testing.T) {
	_, g := build(t, `
		1 lock a000018: m.f() a.go:1
		2 rlock b000018: m.g() a.go:1
		3 pending b000018: m.h() a.go:1
		4 queued b000018 7m: m.h() a.go:1
		5 queued b000018 2m: m.h() a.go:1
		6 once c000018: m.i() a.go:1
		7 send d000: m.j() a.go:1
		8 receive d100: m.k() a.go:1
		9 receive d100: m.l() a.go:1
		10 waitgroup e000: m.m() a.go:1
		11 waitgroup e000: m.n() a.go:1
		12 cond f000: m.o() a.go:1
		13 cond f000: m.o() a.go:1
		14 woken cond f000: m.o() a.go:1
		15 semaphore f100: m.p() a.go:1
		16 select: m.q() a.go:1
		17 io f200: m.r() a.go:1
		18 io f200: m.r() a.go:1
	`)
	want := []string{
		"rwmutex b000018 queued*2 rlock*1 pending*1 7m",
		"channel d100 receive*1 receive*1",
		"waitgroup e000 wait*1 wait*1",
		"cond f000 wait*2 woken*1",
		"mutex a000018 lock*1",
		"once c000018 lock*1",
	}
	if diff := cmp.Diff(want, objectsText(g)); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

func TestObjects_WithoutAnAddressAreNamedByTheirCode(t *testing.T) {
	tests := []struct {
		name, notes string
		want        []string
	}{
		{"methods of one type", "1 rlock -: m.(*store).get(...) a.go:1\n2 pending -: m.(*store).set(...) b.go:1", []string{"rwmutex 0 rlock*1 pending*1"}},
		{"methods of two types", "1 rlock -: m.(*store).get(...) a.go:1\n2 pending -: m.(*cache).set(...) a.go:1", []string{"rwmutex 0 rlock*1", "rwmutex 0 pending*1"}},
		{"a function in the file of a method", "1 rlock -: m.(*store).get(...) a.go:1\n2 rlock -: m.read(...) a.go:9", []string{"rwmutex 0 rlock*1 rlock*1"}},
		{"functions of one file", "1 rlock -: m.get(...) a.go:1\n2 pending -: m.set(...) a.go:9", []string{"rwmutex 0 rlock*1 pending*1"}},
		{"functions of two files", "1 rlock -: m.get(...) a.go:1\n2 pending -: m.set(...) b.go:9", []string{"rwmutex 0 rlock*1", "rwmutex 0 pending*1"}},
		{"a Mutex and a RWMutex", "1 lock -: m.(*store).get(...) a.go:1\n2 pending -: m.(*store).set(...) a.go:1", []string{"mutex 0 lock*1", "rwmutex 0 pending*1"}},
		{"channels", "1 receive -: m.get(...) a.go:1\n2 receive -: m.get(...) a.go:1", []string{}},
	}
	for _, test := range tests {
		_, g := build(t, test.notes)
		if diff := cmp.Diff(test.want, objectsText(g)); diff != "" {
			t.Errorf("%s: want (-), got (+):\n%s", test.name, diff)
		}
	}
}

func TestObjects_KeepTheFirstWaitersAndCountAll(t *testing.T) {
	_, g := build(t, repeat(500, "N lock c000018: m.f() a.go:1\nM lock c000018: m.g() a.go:1"))
	o := g.Objects[0]
	if len(g.Objects) != 1 || o.Count != 1000 || len(o.Waiters) != 2 {
		t.Fatalf("%v", objectsText(g))
	}
	for _, w := range o.Waiters {
		if w.Count != 500 || len(w.Members) != maxMembers || w.Members[0] != 0 || w.Members[maxMembers-1] != maxMembers-1 {
			t.Errorf("%d waiters, members %v", w.Count, w.Members)
		}
	}
}

func TestObjects_OfOneStackAreBounded(t *testing.T) {
	_, g := build(t, repeat(2*maxSmall, "N lock @00018: m.f() a.go:1"))
	if len(g.Objects) != maxSmall {
		t.Errorf("%d objects, the bound is %d", len(g.Objects), maxSmall)
	}
}

func TestGraph_Working(t *testing.T) {
	tests := []struct {
		notes string
		want  bool
	}{
		{"7 run: m.f() a.go:1", true},
		{"7 run: strings.Repeat() strings/strings.go:1; m.f() a.go:1", true},
		{"7 run: strings.Repeat() strings/strings.go:1; net/http.(*conn).serve() net/http/server.go:1", false},
		{"7 receive a000: m.f() a.go:1", false},
		{"7 woken receive a000: m.f() a.go:1", false},
		{"7 running: runtime.Stack() debug.go:1; m.f() a.go:1", false},
		{"7 run: runtime/pprof.writeGoroutineStacks() pprof.go:1; m.f() a.go:1", false},
	}
	for _, test := range tests {
		if _, g := build(t, test.notes); g.Working != test.want {
			t.Errorf("%s: working %v", test.notes, g.Working)
		}
	}
}

func TestGraph_OfADumpWithoutAddressesAndIDsIsEmpty(t *testing.T) {
	dumps := parse([]byte("goroutine profile: total 3\n3 @ 0x1 0x2\n#\t0x1\tsync.(*Mutex).Lock+0x1\t/sync/mutex.go:1\n#\t0x2\tmain.f+0x1\t/a.go:1\n"))
	if len(dumps) != 1 || dumps[0].Format != stackparse.FormatDebug1 {
		t.Fatalf("%d dumps", len(dumps))
	}
	if g := new(Memory).Build(dumps[0], frame.Program{}, neverIdle); len(g.Objects)+len(g.Blockages)+len(g.Orphans) > 0 {
		t.Errorf("%+v", g)
	}
}

func TestGraph_TellsACycleInWhateverOrderItsGoroutinesCome(t *testing.T) {
	first := "7 lock b000018: m.(*b).get(b000000) b.go:1; m.(*a).f(a000000) a.go:2\n"
	second := "8 lock a000018: m.(*a).get(a000000) a.go:9; m.(*b).f(b000000) b.go:2\n"
	d1, g1 := build(t, first+second)
	d2, g2 := build(t, second+first)
	one, other := blockagesText(d1, g1), blockagesText(d2, g2)
	if len(one) != 1 || len(other) != 1 || !strings.HasPrefix(one[0], "lock cycle 2:") || !strings.HasPrefix(other[0], "lock cycle 2:") {
		t.Errorf("%q, %q", one, other)
	}
}

// checkGraph holds a graph against what must be true of every graph, whatever the dump.
func checkGraph(t *testing.T, name string, d *stackparse.Dump) {
	t.Helper()
	var m Memory
	g := m.Build(d, frame.Program{}, neverIdle)
	waiters := 0
	for _, o := range g.Objects {
		n := 0
		for _, w := range o.Waiters {
			n += w.Count
			if w.Count < len(w.Members) || len(w.Members) == 0 || len(w.Members) > maxMembers {
				t.Fatalf("%s: %d members of %d waiters", name, len(w.Members), w.Count)
			}
			for _, m := range w.Members {
				checkRef(t, name, d, Ref{w.Bucket, m})
			}
		}
		if n != o.Count {
			t.Fatalf("%s: an object with %d waiters, %d by bucket", name, o.Count, n)
		}
		waiters += n
	}
	if waiters > d.Goroutines {
		t.Fatalf("%s: %d waiters of %d goroutines", name, waiters, d.Goroutines)
	}
	behind := 0
	for i := range g.Blockages {
		b := &g.Blockages[i]
		behind += b.Waiters
		if len(b.Links) == 0 || b.Instances < 1 || b.Waiters < 1 || b.Kind == "" {
			t.Fatalf("%s: %+v", name, b)
		}
		for _, l := range b.Links {
			checkRef(t, name, d, l.Waiter)
			if l.Holder.Strength > 0 {
				checkRef(t, name, d, l.Holder.Ref)
				if f := l.Holder.Frame; f < -1 || f >= len(d.Buckets[l.Holder.Bucket].Frames) {
					t.Fatalf("%s: frame %d of a holder", name, f)
				}
			}
		}
	}
	if behind > waiters && !d.Counted() { // of which no objects are listed
		t.Fatalf("%s: %d waiters in blockages, %d of objects", name, behind, waiters)
	}
	for _, o := range g.Orphans {
		if count := d.Buckets[o.Bucket].Count; o.Count < 1 || o.Count > count || o.Parents > o.Count || o.Gone > o.Parents || o.Returned > o.Parents-o.Gone ||
			o.Served > o.Count || o.Objects > o.Count || o.Most > o.Count {
			t.Fatalf("%s: %+v of %d goroutines", name, o, count)
		}
	}
	if again := m.Build(d, frame.Program{}, neverIdle); !reflect.DeepEqual(g, again) {
		t.Fatalf("%s: built twice:\n%s", name, cmp.Diff(g, again))
	}
}

func checkRef(t *testing.T, name string, d *stackparse.Dump, r Ref) {
	t.Helper()
	if r.Bucket < 0 || r.Bucket >= len(d.Buckets) || r.Member < 0 || r.Member >= members(d.Buckets[r.Bucket]) {
		t.Fatalf("%s: no goroutine %+v", name, r)
	}
}

// maxChecked bounds the dumps of one file that are looked at: a log may hold thousands that are alike.
const maxChecked = 20

// checkFiles checks the dumps of all texts below a folder, and returns how many there were.
func checkFiles(t *testing.T, root string) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text := textOf(t, path)
		for i, d := range parse(text) {
			if i < maxChecked {
				checkGraph(t, path, d)
				n++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// textOf reads a text, compressed or not; nil where it is none.
func textOf(t *testing.T, path string) []byte {
	t.Helper()
	name := strings.TrimSuffix(path, ".gz")
	if ext := filepath.Ext(name); ext != ".txt" && ext != ".log" && ext != ".md" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if name == path {
		return text
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	if text, err = io.ReadAll(z); err != nil {
		return nil
	}
	return text
}

func TestFixtures_GraphsAreSoundAndTheSameEachTime(t *testing.T) {
	n := checkFiles(t, captures.Dumps(t, filepath.Join("..", "..", "testdata", "dumps")))
	programs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "well", "*.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	for _, archive := range programs {
		n += checkFiles(t, captures.Unpack(t, archive))
	}
	if n < 300 {
		t.Errorf("only %d dumps", n)
	}
	t.Logf("%d dumps", n)
}

func TestCorpus_GraphsAreSoundAndTheSameEachTime(t *testing.T) {
	dir := os.Getenv("TRIAGE_CORPUS")
	if dir == "" {
		t.Skip("TRIAGE_CORPUS is not set: real dumps are not at hand")
	}
	n := checkFiles(t, filepath.Join(dir, "dumps")) + checkFiles(t, filepath.Join(dir, "goker-dev"))
	t.Logf("%d dumps", n)
}

func FuzzBuild(f *testing.F) {
	for _, notes := range []string{
		"7 lock b000018: m.(*b).get(b000000) b.go:1; m.(*a).f(a000000) a.go:2\n8 lock a000018: m.(*a).get(a000000) a.go:9; m.(*b).f(b000000) b.go:2",
		"7 once c000018: m.(*pool).get(c000000) p.go:3\n8 receive d100: m.load() p.go:20; sync.(*Once).doSlow(c000018) once.go:70; m.(*pool).get(c000000) p.go:3 < m.main 7",
		"7 pending c000018: m.(*store).set(c000000) a.go:12\n9 rlock -: m.(*store).get(...) a.go:15\n10 cond d000: m.(*store).wait(c000000) a.go:40 < m.main 9\n11 queued c000018: m.set() a.go:9",
		"7 waitgroup a000: m.wait() a.go:1 < m.start 5\n5 io b000: x.read() x.go:1\n10 run: x.work() x.go:1 < m.wait 9\n12 send a000: m.f() a.go:1 < m.start 5",
		"7 rlock a018: m.move(...) a.go:12 < main.main 1\n8 rlock b018: m.move(...) a.go:12 < main.main 1\n9 send c000: testing.tRunner(b018) b.go:1",
	} {
		f.Add([]byte(dumpText(f, notes)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, d := range parse(text) {
			checkGraph(t, "fuzzed", d)
		}
	})
}

// Parts of generated notes: few of each, so that they meet.
var (
	genPrimitives = []string{"lock", "rlock", "pending", "queued", "once", "send", "receive", "waitgroup", "cond", "select", "io", "sleep", "run", "woken lock", "woken receive", "nilchan"}
	genObjects    = []string{"a0000", "a1000", "b0000", "c0000", "c0010"}
	genCalls      = []string{"m.(*a).get(%)", "m.(*a).put(%)", "m.(*b).get(%)", "m.(*b).f(...)", "m.move(%)", "m.(*a).f.func1()", "sync.(*Once).doSlow(%)", "testing.tRunner(%)", "x.(*T[...]).get(%)"}
	genFiles      = []string{"a.go", "b.go", "c.go"}
)

// genNotes writes notes of n goroutines.
func genNotes(r *rand.Rand, n int) string {
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	var out strings.Builder
	for i := range n {
		addr := " " + pick(genObjects)
		if r.IntN(4) == 0 {
			addr = " -"
		}
		fmt.Fprintf(&out, "%d %s%s", i+1, pick(genPrimitives), addr)
		for f := range 1 + r.IntN(4) {
			sep := ": "
			if f > 0 {
				sep = "; "
			}
			fmt.Fprintf(&out, "%s%s %s:%d", sep, strings.ReplaceAll(pick(genCalls), "%", pick(genObjects)), pick(genFiles), 1+r.IntN(2))
		}
		if r.IntN(2) == 0 {
			fmt.Fprintf(&out, " < m.main %d", 1+r.IntN(n))
		}
		out.WriteString("\n")
	}
	return out.String()
}

func FuzzBuild_StructuredDump(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(2<<(seed%6)))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint8) {
		notes := genNotes(rand.New(rand.NewPCG(seed, 1)), int(n)+1)
		checkGraph(t, notes, dumpOf(t, notes))
	})
}

// TestWhatAMemoryRemembersChangesNoGraph builds the graphs of different dumps, one of them twice, with one Memory.
func TestWhatAMemoryRemembersChangesNoGraph(t *testing.T) {
	var dumps []*stackparse.Dump
	for _, in := range inputs(1, 100) {
		text := append(bytes.Clone(in.text), in.text...)
		dumps = append(dumps, parse(text)...)
		dumps = append(dumps, parse(in.text)...)
	}
	dumps = slices.Concat(dumps, dumps)
	var m Memory
	var graphs []*Graph
	for _, d := range dumps {
		graphs = append(graphs, m.Build(d, frame.Program{}, neverIdle))
	}
	for i, d := range dumps {
		if want := new(Memory).Build(d, frame.Program{}, neverIdle); !reflect.DeepEqual(graphs[i], want) {
			t.Errorf("dump %d has another graph among others", i)
		}
	}
}
