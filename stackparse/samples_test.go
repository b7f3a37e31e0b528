package stackparse

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A sampled word in the form of a table: "frame/arg=value", "?" behind an uncertain one.
func wordText(w Word) string {
	mark := ""
	if w.Uncertain() {
		mark = "?"
	}
	return fmt.Sprintf("%d/%d=%#x%s", w.Frame(), w.Arg(), w.Value(), mark)
}

func wordsText(words []Word) string {
	all := make([]string, 0, len(words))
	for _, w := range words {
		all = append(all, wordText(w))
	}
	return strings.Join(all, " ")
}

// sampleText prints the words of one of a bucket's goroutines, "none" where it was not sampled.
func sampleText(b *Bucket, index int) string {
	for _, s := range b.Samples {
		if s.Index == index {
			return wordsText(s.Words)
		}
	}
	return "none"
}

func TestWord_HoldsWhatItWasMadeOf(t *testing.T) {
	for _, at := range []int{0, 1, maxArgs - 1} {
		for arg := range maxCallWords {
			for _, value := range []uint64{minAddress, 0xc000010018, 1<<wordBits - 1} {
				for _, uncertain := range []bool{false, true} {
					text := fmt.Sprintf("%s%#x%s)\n", strings.Repeat("0x1, ", arg), value, map[bool]string{true: "?"}[uncertain])
					words := callWords(nil, []byte(text), Word(at)<<frameShift)
					if len(words) != 1 {
						t.Fatalf("%q: %d words", text, len(words))
					}
					if w := words[0]; w.Frame() != at || w.Arg() != arg || w.Value() != value || w.Uncertain() != uncertain {
						t.Errorf("%q at %d: %s", text, at, wordText(w))
					}
				}
			}
		}
	}
}

func TestSamples_EveryFormOfWords(t *testing.T) {
	tests := []struct{ words, want string }{
		{"", ""},
		{"...", ""}, // inlined
		{"0xc000010018", "1/0=0xc000010018"},
		{"0xc000010018?, 0x7f3a00001000", "1/0=0xc000010018? 1/1=0x7f3a00001000"},                          // 1.18+
		{"0x10, 0xc000010018, 0x20, 0xc000010020, 0xc000010028, ...", "1/1=0xc000010018 1/3=0xc000010020"}, // up to 1.16: positional; the fifth is one too many
		{"{0xc000010018, 0x2}, 0xc000010020", "1/0=0xc000010018 1/2=0xc000010020"},
		{"{{0xc000010018, {0xc000010020?}}, 0xc000010028}", "1/0=0xc000010018 1/1=0xc000010020? 1/2=0xc000010028"},
		{"{0xc000010018, ...}, 0xc000010020", "1/0=0xc000010018 1/2=0xc000010020"},
		{"{...}, 0xc000010018", "1/1=0xc000010018"},
		{"_, 0xc000010018", "1/1=0xc000010018"},
		{"{_, 0xc000010018?}", "1/1=0xc000010018?"},
		{"{}, 0xc000010018", "1/0=0xc000010018"}, // a struct without fields has no word
		{"{{}, {}}, 0xc000010018", "1/0=0xc000010018"},
		{"0xc000010018, {}", "1/0=0xc000010018"},
		// What can be no address: nil, small numbers, negative numbers, and more than 48 bits.
		{"0x0, 0xffff, 0xffffffffffffffff, 0x1000000000000", ""},
		{"0x10000, 0xffffffffffff", "1/0=0x10000 1/1=0xffffffffffff"},
		// What no runtime prints.
		{"0x1c000018300c00001", ""},
		{"0x, 0xc000010018", "1/1=0xc000010018"},
		{"char const*, 0xc000010018", "1/1=0xc000010018"},
	}
	for _, test := range tests {
		text := goroutineText("5", "select", "main.leaf(0x1)", "main.f("+test.words+")", "main.root(0x99)")
		want := test.want
		if want == "" {
			want = "none"
		}
		if got := sampleText(parseOne(t, text).Buckets[0], 0); got != want {
			t.Errorf("(%s): %s, want %s", test.words, got, want)
		}
	}
}

func TestSamples_OfBothFormsOfADump(t *testing.T) {
	// One process: a signal's dump has the runtime's own frames, which count as frames and have no words.
	signal := `goroutine 18 gp=0xc000102380 m=nil [sync.Mutex.Lock]:
runtime.gopark(0xc000010100?, 0x0?, 0x0?, 0x0?, 0x0?)
	runtime/proc.go:460 +0xce fp=0xc000070e48 sp=0xc000070e28 pc=0x47a0ae
runtime.goparkunlock(...)
	runtime/proc.go:466
runtime.semacquire1(0xc00010a01c, 0x0, 0x3, 0x2, 0x15)
	runtime/sema.go:192 +0x229 fp=0xc000070eb0 sp=0xc000070e48 pc=0x458909
internal/sync.runtime_SemacquireMutex(0xc000070f28?, 0x0?, 0x0?)
	runtime/sema.go:95 +0x25 fp=0xc000070ee8 sp=0xc000070eb0 pc=0x47b7c5
internal/sync.(*Mutex).lockSlow(0xc00010a018)
	internal/sync/mutex.go:149 +0x15a fp=0xc000070f38 sp=0xc000070ee8 pc=0x48381a
internal/sync.(*Mutex).Lock(...)
	internal/sync/mutex.go:70
sync.(*Mutex).Lock(...)
	sync/mutex.go:46
main.(*store).get(0xc00010a000, {0x4c1a2b, 0x3})
	main.go:12 +0x65 fp=0xc000070fb0 sp=0xc000070f38 pc=0x4a1205
main.main.gowrap1()
	main.go:30 +0x25 fp=0xc000070fe0 sp=0xc000070fb0 pc=0x4a1505
runtime.goexit({})
	runtime/asm_amd64.s:1693 +0x1 fp=0xc000070fe8 sp=0xc000070fe0 pc=0x481a21
created by main.main in goroutine 1
	main.go:30 +0x5c
`
	debug2 := `goroutine 18 [sync.Mutex.Lock]:
internal/sync.runtime_SemacquireMutex(0xc000070f28?, 0x0?, 0x0?)
	runtime/sema.go:95 +0x25
internal/sync.(*Mutex).lockSlow(0xc00010a018)
	internal/sync/mutex.go:149 +0x15a
internal/sync.(*Mutex).Lock(...)
	internal/sync/mutex.go:70
sync.(*Mutex).Lock(...)
	sync/mutex.go:46
main.(*store).get(0xc00010a000, {0x4c1a2b, 0x3})
	main.go:12 +0x65
created by main.main in goroutine 1
	main.go:30 +0x5c
`
	old := `goroutine 18 [semacquire]:
sync.runtime_SemacquireMutex(0xc00010a01c, 0xc000010100, 0x1)
	/usr/local/go/src/runtime/sema.go:71 +0x47
sync.(*Mutex).lockSlow(0xc00010a018)
	/usr/local/go/src/sync/mutex.go:138 +0x105
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:81
main.(*store).get(0xc00010a000, 0x4c1a2b, 0x3)
	/src/main.go:12 +0x65
created by main.main
	/src/main.go:30 +0x5c
`
	for name, test := range map[string]struct{ text, want string }{
		"signal":     {signal, "7/0=0xc00010a000 7/1=0x4c1a2b"},
		"debug=2":    {debug2, "4/0=0xc00010a000 4/1=0x4c1a2b"},
		"up to 1.16": {old, "3/0=0xc00010a000 3/1=0x4c1a2b"},
	} {
		b := parseOne(t, test.text).Buckets[0]
		if got := sampleText(b, 0); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestSamples_OnlyTheFirstFramesAreAsked(t *testing.T) {
	calls := make([]string, 0, maxArgs+1)
	for i := range maxArgs + 1 {
		calls = append(calls, fmt.Sprintf("main.f%d(0xc0000%05x)", i, i))
	}
	words := parseOne(t, goroutineText("5", "select", calls...)).Buckets[0].Samples[0].Words
	if last := words[len(words)-1]; len(words) != maxArgs || wordText(last) != fmt.Sprintf("%d/0=%#x", maxArgs-1, 0xc000000000+maxArgs-1) {
		t.Errorf("%d words: %s", len(words), wordsText(words))
	}
}

func TestSamples_BehindAGapThereAreNone(t *testing.T) {
	// A stack whose text does not fit has a gap where frames are missing; the runtime's own gap comes 50 frames deep.
	b := parseOne(t, "goroutine 5 [select]:\nmain.f(0xc000010018)\n\t/a.go:1 +0x1\n...17 frames elided...\nmain.g(0xc000010020)\n\t/a.go:2 +0x1\n").Buckets[0]
	if got, want := sampleText(b, 0), "0/0=0xc000010018"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSamples_OfFramesThatHadNoRoomAreNone(t *testing.T) {
	long := strings.Repeat("0x1, ", 3000) + "0x1"
	first := []string{"main.a(0xc000010018)"}
	for i := range 12 { // some 180 KB: the last ones go elsewhere
		first = append(first, fmt.Sprintf("main.f%d(0xc000020000, %s)", i, long))
	}
	first = append(first, "main.last(0xc000030000)")
	second := slices.Clone(first)
	for i := range second {
		second[i] = strings.Replace(second[i], long, "0x1", 1)
	}
	for _, order := range [][2][]string{{first, second}, {second, first}} {
		b := parseOne(t, goroutineText("5", "select", order[0]...)+goroutineText("6", "select", order[1]...)).Buckets[0]
		if b.Count != 2 || len(b.Samples) != 2 {
			t.Fatalf("%d goroutines, %d samples", b.Count, len(b.Samples))
		}
		for _, s := range b.Samples {
			for _, w := range s.Words {
				value := map[string]uint64{"main.a": 0xc000010018, "main.last": 0xc000030000}[b.Frames[w.Frame()].Func]
				if value == 0 {
					value = 0xc000020000
				}
				if w.Value() != value {
					t.Errorf("goroutine %d: %s of %s", s.Index, wordText(w), b.Frames[w.Frame()].Func)
				}
			}
		}
	}
}

func TestSamples_NameTheGoroutineWhoseWordsTheyAre(t *testing.T) {
	var text strings.Builder
	for i := range 6 {
		text.WriteString(goroutineText(fmt.Sprint(i+1), "select", fmt.Sprintf("main.f(0xc00000%d000)", i)))
		text.WriteString(goroutineText(fmt.Sprint(i+11), "select", "main.g(0x5)")) // no words: no sample
	}
	d := parseOne(t, text.String())
	for _, b := range d.Buckets {
		if b.Frames[0].Func == "main.g" {
			if len(b.Samples) != 0 {
				t.Errorf("%d samples without words", len(b.Samples))
			}
			continue
		}
		for i := range b.Goroutines {
			if got, want := sampleText(b, i), fmt.Sprintf("0/0=%#x", 0xc000000000+(b.Goroutines[i].ID-1)*0x1000); got != want {
				t.Errorf("goroutine %d: %s, want %s", b.Goroutines[i].ID, got, want)
			}
		}
	}
}

func TestSamples_FramesAreTheBucketsWhateverTheGoroutinesOwnForm(t *testing.T) {
	const (
		parked = "runtime.gopark(0xc000077000)"
		recv   = "runtime.chanrecv(0xc000018300, 0x0, 0x1)"
		goexit = "runtime.goexit({})"
		f      = "main.f(0xc000010018)"
		g      = "main.g(0xc000020018)"
	)
	forms := map[string][]string{
		"as debug=2 prints it":       {f, g},
		"with the runtime's frames":  {parked, recv, f, g, goexit},
		"as many frames, shifted":    {parked, f, g},
		"as many frames, at the end": {f, g, goexit},
		"between":                    {parked, f, "main.main.gowrap1(0xc000030018)", g, goexit},
	}
	for nameA, a := range forms {
		for nameB, b := range forms {
			bucket := parseOne(t, goroutineText("5", "chan receive", a...)+goroutineText("6", "chan receive", b...)).Buckets[0]
			if bucket.Count != 2 {
				t.Fatalf("%s, %s: %d goroutines", nameA, nameB, bucket.Count)
			}
			for _, s := range bucket.Samples {
				for _, w := range s.Words {
					fn := bucket.Frames[w.Frame()].Func
					if want := map[string]uint64{"main.f": 0xc000010018, "main.g": 0xc000020018, "main.main.gowrap1": 0xc000030018}[fn]; w.Value() != want {
						t.Errorf("%s, %s: goroutine %d has %#x in %s", nameA, nameB, s.Index, w.Value(), fn)
					}
				}
			}
			if bucket.Samples[0].Index != 0 || nameA == nameB && len(bucket.Samples) != 2 {
				t.Errorf("%s, %s: samples %v", nameA, nameB, bucket.Samples)
			}
		}
	}
}

func TestSamples_AreManyWhereALockIsWaitedForAndNoneOfTheRuntimesOwn(t *testing.T) {
	for _, test := range []struct {
		state string
		leaf  string
		want  int
	}{
		{"select", "runtime.selectgo(0xc000077000)", maxSamples},
		{"chan receive", "runtime.chanrecv(0xc000077000)", maxSamples},
		{"IO wait", "internal/poll.runtime_pollWait(0xc000077000)", maxSamples},
		{"chan send", "runtime.chansend(0xc000077000)", maxLockSamples},
		{"sync.Mutex.Lock", "sync.(*Mutex).lockSlow(0xc000077000)", maxLockSamples},
		{"sync.RWMutex.RLock", "sync.(*RWMutex).RLock(0xc000077000)", maxLockSamples},
		{"sync.RWMutex.Lock", "sync.(*RWMutex).Lock(0xc000077000)", maxLockSamples},
		{"sync.WaitGroup.Wait", "sync.(*WaitGroup).Wait(0xc000077000)", maxLockSamples},
		{"sync.Cond.Wait", "sync.(*Cond).Wait(0xc000077000)", maxSamples},
		{"semacquire", "internal/poll.runtime_Semacquire(0xc000077000)", maxLockSamples},
		{"GC sweep wait", "runtime.bgsweep(0xc000077000)", 0},
	} {
		var text strings.Builder
		for i := range maxLockSamples + 10 {
			text.WriteString(goroutineText(fmt.Sprint(i+1), test.state, test.leaf, "main.f(0xc000010018)"))
		}
		d := parseOne(t, text.String())
		if got := len(d.Buckets[0].Samples); got != test.want || d.SamplesCut {
			t.Errorf("%s: %d samples, want %d; cut %v", test.state, got, test.want, d.SamplesCut)
		}
	}
}

func TestSamples_AreMoreWhereTheFirstWereWoken(t *testing.T) {
	// By their state the first ones look like a goroutine that computes; of those few are kept.
	var text strings.Builder
	for i := range 2 * maxLockSamples {
		state := "runnable"
		if i >= 2*maxSamples {
			state = "chan send"
		}
		text.WriteString(goroutineText(fmt.Sprint(i+1), state, "main.f(0xc000010018)"))
	}
	b := parseOne(t, text.String()).Buckets[0]
	if len(b.Samples) != maxLockSamples || b.Samples[maxSamples-1].Index != maxSamples-1 || b.Samples[maxSamples].Index != 2*maxSamples {
		t.Errorf("%s: %d samples: %v", b.Class, len(b.Samples), b.Samples)
	}
}

func TestSamples_OfADumpAreBounded(t *testing.T) {
	const stacks = 5000
	var text strings.Builder
	words := strings.Repeat("0xc000010018, ", maxCallWords-1) + "0xc000010018"
	for i := range stacks {
		calls := []string{fmt.Sprintf("main.f%d(%s)", i, words)}
		for range maxArgs {
			calls = append(calls, "main.g("+words+")")
		}
		text.WriteString(goroutineText(fmt.Sprint(i+1), "select", calls...))
	}
	d := parseOne(t, text.String())
	n, without := 0, 0
	for _, b := range d.Buckets {
		if len(b.Samples) == 0 {
			without++
		}
		for _, s := range b.Samples {
			n += len(s.Words)
		}
	}
	if !d.SamplesCut || without == 0 {
		t.Errorf("cut %v, %d stacks without samples", d.SamplesCut, without)
	}
	if n < maxDumpWords || n > maxDumpWords+maxArgs*maxCallWords {
		t.Errorf("%d words, the bound is %d", n, maxDumpWords)
	}
	if small := parseOne(t, goroutineText("1", "select", "main.f("+words+")")); small.SamplesCut {
		t.Error("a small dump is cut")
	}
}

// checkSamples holds a dump's samples against what must be true of them, whatever the input.
func checkSamples(t *testing.T, d *Dump) {
	t.Helper()
	words := 0
	for _, b := range d.Buckets {
		last := -1
		if len(b.Samples) > maxLockSamples {
			t.Fatalf("%d samples of a bucket", len(b.Samples))
		}
		for _, s := range b.Samples {
			if s.Index <= last || s.Index >= len(b.Goroutines) {
				t.Fatalf("sample of goroutine %d behind that of %d, of %d", s.Index, last, len(b.Goroutines))
			}
			last = s.Index
			words += len(s.Words)
			if len(s.Words) == 0 || len(s.Words) > maxArgs*maxCallWords {
				t.Fatalf("a sample of %d words", len(s.Words))
			}
			for i, w := range s.Words {
				if w.Frame() >= len(b.Frames) || b.Frames[w.Frame()].Func == "" || w.Value() < minAddress || w.Arg() >= maxCallWords {
					t.Fatalf("word %s of %s", wordText(w), stackLine(b.Frames))
				}
				if i > 0 && (w.Frame() < s.Words[i-1].Frame() || w.Frame() == s.Words[i-1].Frame() && w.Arg() <= s.Words[i-1].Arg()) {
					t.Fatalf("words out of order: %s", wordsText(s.Words))
				}
			}
		}
	}
	if words > maxDumpWords+maxArgs*maxCallWords {
		t.Fatalf("%d words", words)
	}
}

// Nothing but the words differs between goroutines of one stack, so a hostile list in the middle must cost neither its
// neighbours nor the other goroutines theirs.
func FuzzSamples(f *testing.F) {
	f.Add("0xc000010018, {0x1, 0xc000010020?}", "main.(*T).f")
	f.Add("{0xc000010018, ...}, _", "main.f")
	f.Add("{{{{", "std::f<int>")
	f.Add("0x, ,,, 0xfffffffffffffffff", "runtime.chanrecv")
	f.Fuzz(func(t *testing.T, words, fn string) {
		text := goroutineText("5", "select", "main.leaf(0xc000000008)", fn+"("+words+")", "main.root(0xc000000010)") +
			goroutineText("6", "select", "main.leaf(0xc000000018)", fn+"(0xc000000020)", "main.root(0xc000000028)")
		for _, d := range parse([]byte(text)) {
			checkSamples(t, d)
			for _, b := range d.Buckets {
				for _, s := range b.Samples {
					for _, w := range s.Words {
						if name := b.Frames[w.Frame()].Func; name == "main.leaf" && w.Value()&^0x10 != 0xc000000008 && fn != name {
							t.Fatalf("%s of %s in:\n%s", wordText(w), name, text)
						}
					}
				}
			}
		}
	})
}

func TestMemory_OfSamplesIsBounded(t *testing.T) {
	// Each goroutine has words for a sample of the greatest size; 64 of them are kept, about 1 KiB each.
	const n = 20_000
	words := strings.Repeat("0xc000010018, ", maxCallWords-1) + "0xc000010018"
	dumps, kept, _ := keep(func(line func(string)) {
		for i := range n {
			line(fmt.Sprintf("goroutine %d [sync.Mutex.Lock]:", i+1))
			line("sync.(*Mutex).lockSlow(0xc000010018)")
			line("\tsync/mutex.go:138 +0x105")
			for range maxArgs {
				line("main.f(" + words + ")")
				line("\t/src/main.go:1 +0x1")
			}
			line("")
		}
	})
	const limit = n*64*5/4 + maxLockSamples*maxArgs*maxCallWords*8*5/4 + 64<<10
	if kept > limit {
		t.Errorf("%d bytes kept, the limit is %d", kept, limit)
	}
	if b := dumps[0].Buckets[0]; len(b.Samples) != maxLockSamples {
		t.Errorf("%d samples", len(b.Samples))
	}
	runtime.KeepAlive(dumps)
}
