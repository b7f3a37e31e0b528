package stackparse

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/stackparse/frame"
)

// stacks writes a dump: one goroutine a word, "7:a" for goroutine 7 in function a; "7:a@30" waits for address 0x30, and
// "7:a!" is runnable.
func stacks(t testing.TB, words string) *Dump {
	t.Helper()
	var b strings.Builder
	b.WriteString("goroutine 1 [running]:\nmain.dump()\n\t/src/dump.go:3 +0x1d\n\n")
	for _, w := range strings.Fields(words) {
		id, fn, _ := strings.Cut(w, ":")
		fn, addr, _ := strings.Cut(fn, "@")
		state := "chan receive"
		if strings.HasSuffix(fn, "!") {
			state, fn = "runnable", strings.TrimSuffix(fn, "!")
		}
		fmt.Fprintf(&b, "goroutine %s [%s]:\n", id, state)
		if addr != "" {
			fmt.Fprintf(&b, "runtime.chanrecv(0x%s, 0x0, 0x1)\n\t/go/src/runtime/chan.go:667 +0x445\n", addr)
		}
		fmt.Fprintf(&b, "main.%s()\n\t/src/main.go:10 +0x1d\n\n", fn)
	}
	var dumps []*Dump
	p := NewParser(func(d *Dump) { dumps = append(dumps, d) })
	num := int64(0)
	for line := range strings.Lines(b.String()) {
		num++
		p.Line([]byte(strings.TrimSuffix(line, "\n")), num, nil)
	}
	p.Close()
	if len(dumps) != 1 {
		t.Fatalf("%q is %d dumps", words, len(dumps))
	}
	return dumps[0]
}

func compare(t testing.TB, words ...string) *Comparison {
	t.Helper()
	var dumps []*Dump
	for _, w := range words {
		dumps = append(dumps, stacks(t, w))
	}
	return Compare(dumps, StackKey)
}

// row is the row of a function of stacks.
func row(t testing.TB, c *Comparison, fn string) *Row {
	t.Helper()
	for _, r := range c.Rows {
		if fs := r.Last().Bucket.Frames; len(fs) > 0 && fs[len(fs)-1].Func == "main."+fn {
			return r
		}
	}
	t.Fatalf("no row of %s", fn)
	return nil
}

// many writes goroutines from..to-1 in one function.
func many(fn string, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "%d:%s ", i, fn)
	}
	return b.String()
}

func TestCompare_FollowsGoroutinesByID(t *testing.T) {
	c := compare(t, "2:a 3:a 4:a 5:b", "2:a 3:b 5:b 9:a")
	if got, want := c.Steps[0], (Step{Stayed: 3, Moved: 1, New: 1, Gone: 1}); got != want { // goroutine 1 stays too
		t.Errorf("step %+v, want %+v", got, want)
	}
	a := row(t, c, "a")
	if !slices.Equal(a.Counts(2), []int{3, 2}) || !slices.Equal(a.Stays(2), []int{1}) {
		t.Errorf("a: counts %v, stays %v", a.Counts(2), a.Stays(2))
	}
}

func TestCompare_StuckAreThoseThatNeverMovedNorRan(t *testing.T) {
	c := compare(t, "2:a@30 3:a@40 4:a 5:a 6:a!", "2:a@30 3:a@50 4:a! 5:a 6:a", "2:a@30 3:a@40 4:a 5:a 6:a")
	// 3 waited for something else in between, 4 and 6 were ready to run once.
	if got, want := row(t, c, "a").Stuck, []Stuck{{2, 0x30}, {5, 0}}; !slices.Equal(got, want) {
		t.Errorf("stuck %v, want %v", got, want)
	}
}

func TestCompare_AStackThatIsMissingInBetweenHasNoCellThere(t *testing.T) {
	c := compare(t, "2:a", "3:b", "2:a")
	a := row(t, c, "a")
	if !slices.Equal(a.Counts(3), []int{1, 0, 1}) || len(a.Cells) != 2 || len(a.Stuck) != 0 {
		t.Errorf("counts %v, %d cells, stuck %v", a.Counts(3), len(a.Cells), a.Stuck)
	}
}

func TestCompare_TellsTrendsFromNoise(t *testing.T) {
	for name, c := range map[string]struct {
		dumps []string
		want  Trend
	}{
		"ten came and nobody left":        {[]string{many("a", 2, 6), many("a", 2, 16)}, TrendGrew},
		"nine came and nobody left":       {[]string{many("a", 2, 6), many("a", 2, 15)}, TrendSteady},
		"a turnover of requests":          {[]string{many("a", 2, 12), many("a", 102, 122)}, TrendSteady},
		"a turnover that is far larger":   {[]string{many("a", 2, 12), many("a", 102, 142)}, TrendGrew},
		"up by little, and up again":      {[]string{many("a", 2, 6), many("a", 2, 8), many("a", 2, 12)}, TrendGrew},
		"up by little, and down":          {[]string{many("a", 2, 6), many("a", 2, 14), many("a", 2, 12)}, TrendSteady},
		"down by much":                    {[]string{many("a", 2, 42), many("a", 2, 6)}, TrendShrank},
		"not there at first":              {[]string{"2:b", "2:b 3:a"}, TrendNew},
		"not there in the end":            {[]string{"2:b 3:a", "2:b"}, TrendGone},
		"as many, and all of them others": {[]string{many("a", 2, 42), many("a", 102, 142)}, TrendSteady},
	} {
		if got := row(t, compare(t, c.dumps...), "a").Trend; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestCompare_ACutDumpShowsNoTrend(t *testing.T) {
	a, b := stacks(t, many("a", 2, 6)), stacks(t, many("a", 2, 60))
	a.Truncated.Tail = true
	c := Compare([]*Dump{a, b}, StackKey)
	if r := row(t, c, "a"); !c.Cut || r.Trend != TrendUnknown || len(r.Stuck) != 4 {
		t.Errorf("cut %v, trend %s, %d stuck", c.Cut, r.Trend, len(r.Stuck))
	}
}

func TestCompare_CountedStacksHaveNoSteps(t *testing.T) {
	a, b := stacks(t, many("a", 2, 12)), stacks(t, many("a", 2, 32))
	for _, d := range []*Dump{a, b} {
		d.Format = FormatDebug1
		for _, k := range d.Buckets {
			k.Goroutines = nil
		}
	}
	c := Compare([]*Dump{a, b}, StackKey)
	if r := row(t, c, "a"); c.Identified || c.Steps[0] != (Step{}) || len(r.Stuck) != 0 || r.Trend != TrendGrew {
		// 20 more of 40 in all: beyond three times the root of it.
		t.Errorf("identified %v, step %+v, stuck %v, trend %s", c.Identified, c.Steps[0], r.Stuck, r.Trend)
	}
}

func TestCompare_AnIDThatStandsTwiceInATextCountsOnce(t *testing.T) {
	a := stacks(t, "2:a 3:b")
	for _, b := range a.Buckets {
		if b.Goroutines[0].ID == 3 {
			b.Goroutines[0].ID = 2
		}
	}
	c := Compare([]*Dump{a, stacks(t, "2:a")}, StackKey)
	if s := c.Steps[0]; s.Stayed+s.Moved+s.Gone != 2 {
		t.Errorf("%+v: goroutines 1 and 2 are two", s)
	}
}

// TestCompare_AccountsForEveryGoroutine compares random dumps with sets of ids.
func TestCompare_AccountsForEveryGoroutine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var words []string
		var places []map[uint64]string
		for range 4 {
			at := map[uint64]string{1: "dump"}
			var b strings.Builder
			for id := uint64(2); id < 40; id++ {
				if fn := []string{"a", "b", "c", ""}[r.IntN(4)]; fn != "" {
					at[id] = fn
					fmt.Fprintf(&b, "%d:%s ", id, fn)
				}
			}
			words, places = append(words, b.String()), append(places, at)
		}
		c := compare(t, words...)
		for i, s := range c.Steps {
			var want Step
			for id, fn := range places[i] {
				switch there, ok := places[i+1][id]; {
				case !ok:
					want.Gone++
				case there == fn:
					want.Stayed++
				default:
					want.Moved++
				}
			}
			want.New = len(places[i+1]) - want.Stayed - want.Moved
			if s != want {
				t.Fatalf("step %d: %+v, want %+v", i, s, want)
			}
		}
		stayed := 0
		for _, row := range c.Rows {
			stayed += row.Stays(4)[0]
		}
		if stayed != c.Steps[0].Stayed {
			t.Fatalf("rows say %d stayed, the step %d", stayed, c.Steps[0].Stayed)
		}
	}
}

func TestSortByID_SortsAsAnySortDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var scratch []indexEntry
	for _, n := range []int{0, 1, radixFrom - 1, radixFrom, 5 * radixFrom, 2 * radixFrom} {
		for _, bits := range []int{0, 8, 20, 64} {
			all := make([]indexEntry, n)
			for i := range all {
				all[i] = indexEntry{id: r.Uint64() >> (64 - bits), wait: uint64(i)}
			}
			want := slices.Clone(all)
			slices.SortStableFunc(want, func(a, b indexEntry) int { return cmp.Compare(a.id, b.id) })
			all, scratch = sortByID(all, scratch)
			if !slices.Equal(all, want) {
				t.Fatalf("%d ids of %d bits: in another order", n, bits)
			}
		}
	}
}

func TestSameBuild_IsToldByLines(t *testing.T) {
	a, b := stacks(t, "2:a 3:b 4:c"), stacks(t, "2:a 3:b 5:d")
	if !SameBuild(a.Buckets, b.Buckets) {
		t.Error("equal lines are not of one build")
	}
	moved := moveLines(b, 3)
	if SameBuild(a.Buckets, moved.Buckets) {
		t.Error("lines that moved are of one build")
	}
	c := Compare([]*Dump{a, moved}, FuncKey)
	if got := row(t, c, "a").Counts(2); !slices.Equal(got, []int{1, 1}) {
		t.Errorf("by function: %v, want one on either side", got)
	}
}

// moveLines is d as another build would print it.
func moveLines(d *Dump, by int) *Dump {
	moved := &Dump{Format: d.Format, Goroutines: d.Goroutines, States: d.States}
	for _, b := range d.Buckets {
		frames := slices.Clone(b.Frames)
		for i := range frames {
			frames[i].Line += by
		}
		moved.Buckets = append(moved.Buckets, NewBucket(frames, b.CreatedBy, b.Class, b.Count, b.Goroutines))
	}
	return moved
}

func TestSameStarts_GoesByTheLinesOfGoStatements(t *testing.T) {
	started := func(line, goLine int) []*Bucket {
		f := []Frame{{Frame: frame.Frame{Func: "main.work", File: "x.go", Line: line}}}
		return []*Bucket{NewBucket(f, &Frame{Frame: frame.Frame{Func: "main.main", File: "x.go", Line: goLine}}, ClassSelect, 1, nil)}
	}
	if !SameStarts(started(10, 3), started(17, 3)) {
		t.Error("a goroutine that moved on is of another build")
	}
	if SameStarts(started(10, 3), started(10, 6)) {
		t.Error("a go statement that moved is of one build")
	}
	if !SameStarts(append(started(10, 3), started(10, 6)...), started(10, 6)) {
		t.Error("one of two go statements is of another build")
	}
	if !SameStarts(nil, started(10, 3)) {
		t.Error("what nobody knows speaks against it")
	}
}

func TestNewBucket_HasTheKeyThatTheParserGave(t *testing.T) {
	for _, b := range stacks(t, "2:a 3:b@30").Buckets {
		if got := NewBucket(b.Frames, b.CreatedBy, b.Class, b.Count, nil); got.Key != b.Key {
			t.Errorf("%s: key %x, want %x", b.Frames[0].Func, got.Key, b.Key)
		}
	}
}

func TestBareKey_IsEqualWithAndWithoutACreator(t *testing.T) {
	b := stacks(t, "2:a").Buckets[0]
	with := NewBucket(b.Frames, &Frame{Frame: b.Frames[0].Frame}, b.Class, 1, nil)
	if with.Key == b.Key || BareKey(with) != BareKey(b) || BareFuncKey(with) != BareFuncKey(b) || FuncKey(with) == FuncKey(b) {
		t.Error("the creator counts where it must not, or not where it must")
	}
}

func TestFuncKey_TakesTheLocksOfAllReleasesForOne(t *testing.T) {
	frames := func(lock ...string) []Frame {
		var fs []Frame
		for _, fn := range append(lock, "main.take") {
			fs = append(fs, Frame{Frame: frame.Frame{Func: fn, File: "x.go", Line: 3}})
		}
		return fs
	}
	old := NewBucket(frames("sync.runtime_SemacquireMutex", "sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock"), nil, ClassMutex, 1, nil)
	now := NewBucket(frames("internal/sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).Lock", "sync.(*Mutex).Lock"), nil, ClassMutex, 1, nil)
	other := NewBucket(frames("sync.runtime_Semacquire", "sync.(*WaitGroup).Wait"), nil, ClassWaitGroup, 1, nil)
	if FuncKey(old) != FuncKey(now) {
		t.Error("a lock of another release is another stack")
	}
	if FuncKey(now) == FuncKey(other) {
		t.Error("a WaitGroup is a lock")
	}
}

// FuzzCompare: whatever two texts hold, every goroutine of theirs is accounted for.
func FuzzCompare(f *testing.F) {
	f.Add("goroutine 1 [running]:\nmain.a()\n\t/a.go:1 +0x1\n\ngoroutine 7 [select]:\nmain.b()\n\t/a.go:2 +0x1\n", "goroutine 7 [select]:\nmain.b()\n\t/a.go:2 +0x1\n")
	f.Add("goroutine 0 [idle]:\n\ngoroutine 0 [idle]:\n", "goroutine 18446744073709551615 [running]:\nmain.a()\n\t/a.go:1\n")
	f.Fuzz(func(t *testing.T, x, y string) {
		var dumps []*Dump
		for _, s := range []string{x, y} {
			p := NewParser(func(d *Dump) { dumps = append(dumps, d) })
			num := int64(0)
			for line := range strings.Lines(s) {
				num++
				p.Line([]byte(strings.TrimRight(line, "\r\n")), num, nil)
			}
			p.Close()
		}
		dumps = dumps[:min(len(dumps), 8)]
		c := Compare(dumps, FuncKey)
		for _, r := range c.Rows {
			counts, stays := r.Counts(len(dumps)), r.Stays(len(dumps))
			for i, n := range stays {
				if n > counts[i] || n > counts[i+1] {
					t.Fatalf("%d stayed of %d and %d", n, counts[i], counts[i+1])
				}
			}
			if len(r.Stuck) > slices.Min(counts) {
				t.Fatalf("%d stuck of %v", len(r.Stuck), counts)
			}
		}
		for i, d := range dumps {
			sum := 0
			for _, r := range c.Rows {
				sum += r.Counts(len(dumps))[i]
			}
			if sum != d.Goroutines && d.Format != FormatRace {
				t.Fatalf("rows hold %d goroutines, the dump %d", sum, d.Goroutines)
			}
		}
	})
}

// BenchmarkCompare: 20 dumps of 100,000 goroutines in 50 stacks, a twentieth of which is replaced from dump to dump.
// The ids of a stack are in no order.
func BenchmarkCompare(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	ids, next := make([]uint64, 100_000), uint64(1)
	for i := range ids {
		ids[i], next = next, next+1
	}
	var dumps []*Dump
	for range 20 {
		for range len(ids) / 20 {
			ids[r.IntN(len(ids))], next = next, next+1
		}
		d := &Dump{Format: FormatDebug2, States: []string{"select"}, Goroutines: len(ids)}
		for k := range 50 {
			d.Buckets = append(d.Buckets, &Bucket{Key: uint64(k)})
		}
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		for _, id := range ids {
			k := d.Buckets[id%50]
			k.Goroutines = append(k.Goroutines, Goroutine{ID: id})
			k.Count++
		}
		dumps = append(dumps, d)
	}
	b.ReportAllocs()
	for b.Loop() {
		Compare(dumps, StackKey)
	}
}
