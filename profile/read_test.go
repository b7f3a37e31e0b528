package profile

import (
	"bytes"
	"compress/gzip"
	"math"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

func TestReadTellsTheKindByTheTypes(t *testing.T) {
	const stack = " | runtime.futex@runtime/sys.go:1 < main.main@/src/main.go:3"
	for _, tt := range []struct {
		claim string
		f     fixture
		kind  Kind
		value string
	}{
		{"runtime/pprof's CPU profile", cpu("3" + stack), KindCPU, "cpu"},
		{"a converter's single type", fixture{types: "cpu/nanoseconds", period: "cpu/nanoseconds 10000000", lines: "70000000" + stack}, KindCPU, "cpu"},
		{"samples alone, with a period of CPU", fixture{types: "samples/count", period: "cpu/nanoseconds 10000000", lines: "7" + stack}, KindCPU, "samples"},
		{"a heap profile", heap("1 10 2 20" + stack), KindHeap, "inuse_space"},
		{"an allocs profile names its default", fixture{types: heap("").types, period: heap("").period, standard: "alloc_space", lines: "1 10 2 20" + stack}, KindAllocs, "alloc_space"},
		{"allocations alone", fixture{types: "alloc_space/bytes", period: "space/bytes 524288", lines: "10" + stack}, KindAllocs, "alloc_space"},
		{"a block profile leads to a wait", waits("2 300 | runtime.chanrecv1@runtime/chan.go:1 < main.main@/src/main.go:3"), KindBlock, "delay"},
		{"a mutex profile leads to an unlock", waits("2 300 | sync.(*Mutex).Unlock@sync/mutex.go:1 < main.main@/src/main.go:3"), KindMutex, "delay"},
		{"a mutex profile of a RWMutex", waits("2 300 | sync.(*RWMutex).RUnlock@sync/rwmutex.go:1 < main.main@/src/main.go:3"), KindMutex, "delay"},
		{"goroutines", fixture{types: "goroutine/count", lines: "4" + stack}, KindGoroutine, "goroutine"},
		{"leaked goroutines", fixture{types: "goroutineleak/count", lines: "4" + stack}, KindGoroutineLeak, "goroutineleak"},
		{"threads", fixture{types: "threadcreate/count", lines: "4" + stack}, KindThreadCreate, "threadcreate"},
		{"fgprof", fixture{types: "samples/count time/nanoseconds", period: "wallclock/nanoseconds 10101010", lines: "4 400" + stack}, KindWall, "time"},
		{"a program's own profile", fixture{types: "sessions/count", lines: "4" + stack}, KindOther, "sessions"},
		{"Java by its sources", cpu("3 | Work.run@Work.java:3 < java.lang.Thread.run@Thread.java:833"), KindOther, "cpu"},
		{"Python by its sources", cpu("3 | work@/app/work.py:3 < <module>@/app/main.py:9"), KindOther, "cpu"},
		{"Go that calls much C is Go", cpu("3 | a@a.c:1 < b@b.c:1 < c@c.c:1 < main.main@/src/main.go:3"), KindCPU, "cpu"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			p := tt.f.read(t)
			if p.Kind != tt.kind || p.Types[p.Value].Type != tt.value {
				t.Errorf("%s of %s, want %s of %s", p.Kind, p.Types[p.Value].Type, tt.kind, tt.value)
			}
		})
	}
}

func TestReadKeepsStacksWithInlinedCalls(t *testing.T) {
	const stack = "a.F@/src/a/a.go:7 <in a.G@/src/a/a.go:20 < main.main@/src/main.go:3"
	p := cpu("3 | " + stack).read(t)
	if got := stackText(p, &p.Stacks[0]); got != stack {
		t.Errorf("stack %q", got)
	}
}

func TestReadAddsUpEqualStacks(t *testing.T) {
	f := cpu(`
		3 | a.F@/src/a/a.go:7 < main.main@/src/main.go:3
		1 | a.F@/src/a/a.go:8 < main.main@/src/main.go:3
		2 | a.F@/src/a/a.go:7 < main.main@/src/main.go:3
		5 | a.F@/src/a/a.go:7 < main.main@/src/main.go:3 | handler=/list`)
	p := f.read(t)
	var got []int64
	for _, s := range p.Stacks {
		got = append(got, s.Samples)
	}
	if diff := cmp.Diff([]int64{5, 1, 5}, got); diff != "" {
		t.Errorf("lines and labels tell stacks apart, nothing else (-want +got):\n%s", diff)
	}
	if p.Total() != 110_000_000 || p.Samples() != 11 {
		t.Errorf("%d ns in %d samples", p.Total(), p.Samples())
	}
}

func TestReadIgnoresTheSizeLabelOfHeapSamples(t *testing.T) {
	pb := heap("1 10 1 10 | a.F@a.go:1\n1 20 1 20 | a.F@a.go:1").proto(t)
	for i, s := range pb.Sample {
		s.NumLabel = map[string][]int64{"bytes": {int64(10 + 10*i)}}
	}
	p, err := Read(encode(t, pb))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Stacks) != 1 || len(p.Labels) != 1 {
		t.Errorf("%d stacks, labels %v", len(p.Stacks), p.Labels)
	}
}

func TestReadKeepsLabels(t *testing.T) {
	pb := cpu("3 | a.F@a.go:1 | queue=orders handler=/list\n4 | a.F@a.go:1").proto(t)
	pb.Sample[1].NumLabel = map[string][]int64{"size": {42}}
	pb.Sample[1].NumUnit = map[string][]string{"size": {"bytes"}}
	p, err := Read(encode(t, pb))
	if err != nil {
		t.Fatal(err)
	}
	want := []LabelSet{{}, {"handler: /list", "queue: orders"}, {"size: 42 bytes"}}
	if diff := cmp.Diff(want, p.Labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

func TestReadTakesSeveralLayersOfGzipOff(t *testing.T) {
	data := encode(t, cpu("3 | main.main@/src/main.go:3").proto(t))
	for range maxLayers - 1 {
		data = zipped(t, data)
	}
	if _, err := Read(data); err != nil {
		t.Errorf("%d layers: %v", maxLayers, err)
	}
	if _, err := Read(zipped(t, data)); err == nil || !strings.Contains(err.Error(), "layers") {
		t.Errorf("one layer more: %v", err)
	}
}

func zipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	plain := func(change func(*profile.Profile)) []byte {
		p := cpu("3 | main.main@/src/main.go:3").proto(t)
		if change != nil {
			change(p)
		}
		var out bytes.Buffer
		if err := p.WriteUncompressed(&out); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	whole := plain(nil)
	for _, tt := range []struct {
		claim string
		data  []byte
		want  string
	}{
		{"nothing", nil, "empty"},
		{"a broken gzip", []byte("\x1f\x8b\x08garbage"), "decompress"},
		{"a profile that was cut off", whole[:len(whole)/2], "past the end"},
		{"two profiles in a file", append(bytes.Clone(timed(plain)), timed(plain)...), "concatenated"},
		{"a goroutine dump", []byte("goroutine 1 [running]:\nmain.main()\n"), "goroutine dump"},
		{"another text", []byte("hello\n"), "text"},
		{"a C++ program's text", []byte("--- threadz 1 ---\n"), "C++"},
		{"a Java program's text", []byte("--- heapz 1 ---\nformat = java\n"), "Java"},
		{"a sample of too few values", plain(func(p *profile.Profile) { p.Sample[0].Value = []int64{1} }), "1 values"},
		{"samples of nothing", plain(func(p *profile.Profile) { p.SampleType = nil; p.Sample[0].Value = nil }), "sample type"},
		{"an unknown location", plain(func(p *profile.Profile) { p.Location = nil }), "nil location"},
		{"an unknown function", plain(func(p *profile.Profile) { p.Function = nil }), "nil function"},
		{"a location twice", plain(func(p *profile.Profile) { p.Location = append(p.Location, p.Location[0]) }), "locations with same id"},
		{"a CPU profile of Go 1.8", append(make([]byte, 8), 3, 0, 0, 0, 0, 0, 0, 0), "-output named.pb.gz"},
		{"a string that isn't there", []byte("\x0a\x04\x08\x09\x10\x09"), "malformed"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			p, err := Read(tt.data)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v; want an error with %q", p, err, tt.want)
			}
		})
	}
}

// timed is a whole profile with a time, which two of them have twice.
func timed(plain func(func(*profile.Profile)) []byte) []byte {
	return plain(func(p *profile.Profile) { p.TimeNanos = 1e18 })
}

func TestReadBoundsWhatDecompresses(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 64 MiB of zeros")
	}
	r := bytes.NewReader(nil)
	if _, err := readBounded(&endless{r}, 0); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("endless data: %v", err)
	}
}

// endless yields zeros.
type endless struct{ *bytes.Reader }

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestReadOfWhatTheRuntimeWrites(t *testing.T) {
	for _, name := range []string{"heap", "allocs", "goroutine", "threadcreate", "block", "mutex"} {
		var binary, text bytes.Buffer
		if err := pprof.Lookup(name).WriteTo(&binary, 0); err != nil {
			t.Fatal(err)
		}
		if err := pprof.Lookup(name).WriteTo(&text, 1); err != nil {
			t.Fatal(err)
		}
		p, err := Read(binary.Bytes())
		if err != nil {
			t.Errorf("%s, binary: %v", name, err)
			continue
		}
		q, err := Read(text.Bytes())
		if err != nil {
			t.Errorf("%s, text: %v", name, err)
			continue
		}
		if name == "goroutine" && (p.Total() == 0 || p.Total() != q.Total()) {
			t.Errorf("%d goroutines in the binary form, %d in the text", p.Total(), q.Total())
		}
		// Threads that the runtime started by itself have the stack "0x0".
		if q.Unparsed > 0 || name != "threadcreate" && q.Unsymbolized > 0 {
			t.Errorf("%s, text: %d lines not understood, %.2f without names", name, q.Unparsed, q.Unsymbolized)
		}
	}
}

func TestHeapSamplesAreWorkedOutOfTheRate(t *testing.T) {
	// One object of 1 GiB is one sample; 1,024 objects of 512 bytes are what one sample of that size stands for.
	p := heap("1 1073741824 1 1073741824 | a.Big@a.go:1\n1025 524800 1025 524800 | a.Small@a.go:2").read(t)
	for _, s := range p.Stacks {
		if s.Samples != 1 {
			t.Errorf("%s rests on %d samples, want 1", stackText(p, &s), s.Samples)
		}
	}
}

func TestSamplesOfASingleTypeComeFromThePeriod(t *testing.T) {
	for _, period := range []string{"cpu/nanoseconds 10000000", "cpu/nanoseconds 1000000000", "cpu/nanoseconds 0"} {
		p := fixture{types: "cpu/nanoseconds", period: period, lines: "70000000 | a.F@a.go:1"}.read(t)
		if p.Samples() != 7 {
			t.Errorf("period %q: %d samples, want 7", period, p.Samples())
		}
	}
}

func TestAbsurdDurationIsNone(t *testing.T) {
	f := cpu("3 | a.F@a.go:1")
	f.seconds = float64(2 * maxDuration / time.Second)
	if p := f.read(t); p.Duration != 0 || p.Cores() != 0 {
		t.Errorf("took %v, %v cores", p.Duration, p.Cores())
	}
}

func TestHeapIsSeenAsAllocs(t *testing.T) {
	p := heap("10 1000 1 100 | a.F@/src/a.go:1").read(t)
	q, ok := p.As(KindAllocs)
	if !ok || q.Total() != 1000 || q.Kind != KindAllocs || p.Total() != 100 || p.Kind != KindHeap {
		t.Errorf("allocs %+v, heap %+v", q, p)
	}
	if _, ok := cpu("1 | a.F@a.go:1").read(t).As(KindHeap); ok {
		t.Error("a CPU profile was seen as a heap profile")
	}
}

func TestUnsymbolizedAndCutStacksAreCounted(t *testing.T) {
	deep := "10 | main.rec@/src/main.go:1" + strings.Repeat(" < main.rec@/src/main.go:1", 63)
	p := cpu(deep + "\n30 | main.main@/src/main.go:9\n60 | ? < ?").read(t)
	if math.Abs(p.Unsymbolized-0.6) > 1e-9 || math.Abs(p.Truncated-0.1) > 1e-9 || !p.Stacks[0].Cut || p.Stacks[1].Cut {
		t.Errorf("%.2f unsymbolized, %.2f cut, want 0.60 and 0.10", p.Unsymbolized, p.Truncated)
	}
	if p.Binary != "/srv/shop" {
		t.Errorf("binary %q", p.Binary)
	}
}

func TestNearMissOfACutStack(t *testing.T) {
	for _, depth := range []int{63, 100} {
		deep := "10 | main.rec@/src/main.go:1" + strings.Repeat(" < main.rec@/src/main.go:1", depth-1)
		if p := cpu(deep).read(t); p.Truncated != 0 {
			t.Errorf("%d frames count as cut", depth)
		}
	}
}

func TestReleaseFollowsFromTheRuntimesNames(t *testing.T) {
	for _, tt := range []struct{ frames, want string }{
		{"runtime.mallocgcTiny@runtime/malloc.go:1", ">=1.24"},
		{"internal/runtime/syscall.Syscall6@a.s:1 < internal/runtime/maps.(*Map).Get@m.go:2", "1.24-1.25"},
		{"internal/runtime/syscall/linux.Syscall6@a.s:1", ">=1.26"},
		{"runtime/internal/syscall.Syscall6@a.s:1 < runtime.gcDrainMarkWorkerIdle@g.go:1", "1.22"},
		{"runtime.findrunnable@runtime/proc.go:1", "<=1.18"},
		{"runtime.mallocgc@/usr/local/go1.22.3/src/runtime/malloc.go:1", "1.22.3"},
		{"runtime.mallocgc@/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.26.8.linux-amd64/src/runtime/malloc.go:1", "1.26.8"},
		{"runtime.mallocgc@/usr/local/go/src/runtime/malloc.go:1", ""},
		{"main.f@/home/me/go1.19.1/src/x/main.go:1 < runtime.main@/usr/local/go/src/runtime/proc.go:1", ""},
		{"runtime.findrunnable@runtime/proc.go:1 < runtime.mallocgcTiny@runtime/malloc.go:1", ""},
	} {
		p := cpu("1 | " + tt.frames).read(t)
		if p.Go != tt.want {
			t.Errorf("%s: release %q, want %q", tt.frames, p.Go, tt.want)
		}
	}
}
