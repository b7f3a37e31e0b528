package stackparse

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// heapAfter returns the bytes that are live on the heap after a collection.
func heapAfter() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// keep parses lines that write prints and returns the dumps, the bytes that they keep alive, and the bytes that the
// parser itself does beside them.
func keep(write func(line func(string))) (dumps []*Dump, kept, beside int64) {
	before := heapAfter()
	p := NewParser(func(d *Dump) { dumps = append(dumps, d) })
	num := int64(0)
	var buf []byte
	write(func(s string) {
		num++
		buf = append(buf[:0], s...)
		p.Line(buf, num, nil)
	})
	p.Close()
	both := heapAfter() - before
	runtime.KeepAlive(p)
	p = nil
	kept = heapAfter() - before
	runtime.KeepAlive(dumps)
	return dumps, kept, both - kept
}

func TestMemory_GoroutinesOfOneStackTake64BytesEach(t *testing.T) {
	const n = 100_000
	dumps, kept, beside := keep(func(line func(string)) {
		for i := range n {
			line("goroutine " + strconv.Itoa(i+1) + " [chan receive, 2 minutes]:")
			line("main.work(0xc000" + strconv.Itoa(100000+i) + ")")
			line("\t/src/main.go:10 +0x1d")
			line("created by main.main in goroutine " + strconv.Itoa(i))
			line("\t/src/main.go:30 +0x5c")
			line("")
		}
	})
	if len(dumps) != 1 || dumps[0].Goroutines != n || len(dumps[0].Buckets) != 1 {
		t.Fatalf("got %v", summaries(dumps))
	}
	// A slice that grew has up to a quarter more room than it uses.
	if per := float64(kept) / n; per > 64*1.25 {
		t.Errorf("%.1f bytes a goroutine", per)
	}
	if used := 56 * len(dumps[0].Buckets[0].Goroutines); used > 64*n {
		t.Errorf("%d bytes of goroutines", used)
	}
	if beside > 1<<20 {
		t.Errorf("the parser keeps %d bytes beside the dump", beside)
	}
	t.Logf("%.1f bytes a goroutine, %d bytes beside", float64(kept)/n, beside)
}

func TestMemory_OfAStackWithoutEndIsBounded(t *testing.T) {
	const n = 2 * maxPrefixes
	dumps, kept, beside := keep(func(line func(string)) {
		line("goroutine 1 [select]:")
		for i := range n {
			line("main.f" + strconv.Itoa(i) + "(0x1)")
			line("\t/src/main.go:" + strconv.Itoa(i+1) + " +0x1")
		}
		line("created by main.main in goroutine 1")
		line("\t/src/main.go:30 +0x5c")
	})
	if len(dumps) != 1 {
		t.Fatalf("%d dumps", len(dumps))
	}
	b := dumps[0].Buckets[0]
	depth := 0
	for _, f := range b.Frames {
		depth += max(1, f.Elided)
	}
	if depth != n || b.CreatedBy == nil {
		t.Errorf("depth %d, creator %v", depth, b.CreatedBy)
	}
	if kept > 2<<20 {
		t.Errorf("%d bytes kept", kept)
	}
	// What predicts frames is bounded by its own number.
	if limit := int64(maxPrefixes * 400); beside > limit {
		t.Errorf("%d bytes beside, the limit is %d", beside, limit)
	}
	t.Logf("%d bytes kept, %d beside", kept, beside)
}

// distinctStack prints a stack of 20 frames that no other i has.
func distinctStack(line func(string), i int) {
	line("goroutine " + strconv.Itoa(i+1) + " [select]:")
	for f := range 20 {
		line("example.com/app/pkg" + strconv.Itoa(f) + ".(*Worker).step(0xc000010018)")
		line("\t/src/app/pkg/worker.go:" + strconv.Itoa(1+(i>>(f%17))) + " +0x1d")
	}
	line("")
}

func TestMemory_GrowsWithDistinctStacksByTheirCost(t *testing.T) {
	const n = 10_000
	dumps, kept, beside := keep(func(line func(string)) {
		for i := range n {
			distinctStack(line, i)
		}
	})
	if len(dumps) != 1 || dumps[0].Goroutines != n || len(dumps[0].Buckets) != n {
		t.Fatalf("%d dumps, %d goroutines", len(dumps), dumps[0].Goroutines)
	}
	cost := 0
	for _, b := range dumps[0].Buckets {
		cost += stackCost(len(b.Text), len(b.Frames))
	}
	if cost > maxDumpCost {
		t.Errorf("cost %d", cost)
	}
	if kept > int64(cost)*3/2 {
		t.Errorf("%d bytes kept, the stacks cost %d", kept, cost)
	}
	t.Logf("%d bytes a stack, %d counted; %d beside", kept/n, cost/n, beside)
}

func TestMemory_StacksBeyondTheBoundAreCountedInOneBucket(t *testing.T) {
	var dumps []*Dump
	p := NewParser(func(d *Dump) { dumps = append(dumps, d) })
	num := int64(0)
	add := func(id, fn int) {
		for _, line := range []string{fmt.Sprintf("goroutine %d [select]:", id), fmt.Sprintf("main.f%d()", fn), "\t/a.go:1", ""} {
			num++
			p.Line([]byte(line), num, nil)
		}
	}
	add(1, 1)
	add(2, 2)
	p.dump.dump.Cost = maxDumpCost // as if there were no room for more
	for id := 3; id <= 1000; id++ {
		add(id, id)
	}
	add(1001, 1) // a known one finds its bucket all the same
	p.Close()
	if len(dumps) != 1 {
		t.Fatalf("%d dumps", len(dumps))
	}
	d := dumps[0]
	if got := []int{len(d.Buckets), d.Buckets[0].Count, len(d.Buckets[0].Frames), d.Buckets[1].Count}; fmt.Sprint(got) != "[3 998 0 2]" {
		t.Errorf("buckets, counts: %v", got)
	}
	if d.Goroutines != 1001 {
		t.Errorf("%d goroutines", d.Goroutines)
	}
}

func TestMemory_OfEarlierDumpsIsNotKeptPastTheBounds(t *testing.T) {
	p := NewParser(func(*Dump) {})
	p.parsed.cost = maxParsedCost // as if they were full
	for i := range maxPrefixes {
		p.stack.prefixes.byHash[uint64(i)] = nil
	}
	name := strings.Repeat("n", maxName)
	before := heapAfter()
	num := int64(0)
	line := func(s string) { num++; p.Line([]byte(s), num, nil) }
	const dumps, stacks = 20, 200
	for dump := range dumps {
		for g := range stacks {
			line(fmt.Sprintf("goroutine %d [state %d] {k: v%d}:", g+1, g, g))
			for f := range 5 {
				line(fmt.Sprintf("main.%s%d_%d_%d(0x1)", name, dump, g, f))
				line(fmt.Sprintf("\t/src/%s%d_%d_%d.go:1", name, dump, g, f))
			}
			line("")
		}
	}
	p.Close()
	held := heapAfter() - before
	runtime.KeepAlive(p)
	if held > 1<<20 { // the text of the stacks has 20 MB
		t.Errorf("%d bytes held behind the last dump", held)
	}
}

func TestShapes_AreKeptUpToTheirCost(t *testing.T) {
	s := newParsedStacks()
	for i := range 1000 {
		s.keep(uint64(i), &parsedStack{}, 1<<20)
	}
	if n := len(s.bySignature); n > 16 || n < 15 {
		t.Errorf("%d parsed stacks of 1 MiB kept", n)
	}
}

func TestMemory_GoroutinesOfKnownStacksAllocateNothingButTheirPlace(t *testing.T) {
	lines := [][]byte{}
	for _, l := range strings.Split(strings.TrimSuffix(pair, "\n")+"\n", "\n") {
		lines = append(lines, []byte(l))
	}
	p := NewParser(func(*Dump) {})
	num := int64(0)
	one := func() {
		for _, l := range lines[8:] { // goroutine 8 again and again: no id that a new dump would repeat
			if strings.HasPrefix(string(l), "goroutine") {
				l = []byte("goroutine 0 [chan receive]:")
			}
			num++
			p.Line(l, num, nil)
		}
	}
	for range 1 << 12 {
		one()
	}
	if allocs := testing.AllocsPerRun(1000, one); allocs > 3 {
		t.Errorf("%.1f allocations a goroutine", allocs)
	}
}

// What a hostile input could make grow faster than itself: eight times the input must not allocate much more than eight
// times as much.
func TestMemory_AllocationsAreLinearInTheInput(t *testing.T) {
	hostile := map[string]func(n int) string{
		"labels that open quotes": func(n int) string {
			return `goroutine 1 [select] {"` + strings.Repeat(`\"`, n) + "}:\nmain.f()\n\t/a.go:1\n"
		},
		"header prefixes":                 func(n int) string { return strings.Repeat("goroutine ", n) + ":\n" },
		"parentheses":                     func(n int) string { return "goroutine 1 [select]:\n" + strings.Repeat(".(", n) + ")\n\t/a.go:1\n" },
		"blanks in a path":                func(n int) string { return "goroutine 1 [select]:\nmain.f()\n\t" + strings.Repeat("a +", n) + ":1\n" },
		"functions without files":         func(n int) string { return "goroutine 1 [select]:\n" + strings.Repeat("main.f()\n", n) },
		"lines that begin like log lines": func(n int) string { return pair + strings.Repeat("x time=\"2026-x\n", n) },
		"halves":                          func(n int) string { return "goroutine 1 [select]:\n" + strings.Repeat("main.f(time=\"2026-\n", n) },
		"gaps":                            func(n int) string { return "goroutine 1 [select]:\n" + strings.Repeat("...1 frames elided...\n", n) },
		"ancestors": func(n int) string {
			return "goroutine 1 [select]:\n" + strings.Repeat("[originating from goroutine 1]:\n", n)
		},
		"threads": func(n int) string {
			return "SIGQUIT: quit\nPC=0x1 m=0 sigcode=0\n\n" + pair + strings.Repeat(threadSection, n/16)
		},
		"panics":       func(n int) string { return "panic: x\n" + strings.Repeat("\tpanic: y\n", n) },
		"headers only": func(n int) string { return strings.Repeat("goroutine 0 [select]:\n", n) },
	}
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			bytesFor := func(n int) uint64 {
				input := []byte(text(n))
				var a, b runtime.MemStats
				runtime.ReadMemStats(&a)
				for _, d := range parse(input) {
					for _, bucket := range d.Buckets {
						bucket.Args()
					}
				}
				runtime.ReadMemStats(&b)
				return b.TotalAlloc - a.TotalAlloc
			}
			small, big := bytesFor(4<<10), bytesFor(32<<10)
			if big > 8*3*small+1<<20 {
				t.Errorf("%d bytes for 4 Ki, %d for 32 Ki", small, big)
			}
		})
	}
}
