package spin

import (
	"slices"
	"testing"

	"github.com/gotriage/triage/rules"
)

func TestStringsAndSlicesAreReadFromBraces(t *testing.T) {
	for list, want := range map[string][]value{
		"0xc000012000, 0x36":                       nil,
		"{0xc000012000, 0x36}":                     {{at: 0xc000012000, len: 0x36, cap: -1, sureLen: true, sure: true}},
		"0x1, {0xc000012000, 0x1a, 0x200}, 0x0":    {{at: 0xc000012000, len: 0x1a, cap: 0x200, sureLen: true, sureCap: true, sure: true}},
		"{0xc000012000?, 0x1a, 0x1a?}":             {{at: 0xc000012000, len: 0x1a, cap: 0x1a, sureLen: true}},
		"{0x79c980, 0x11e61ed100a0}":               nil, // an interface
		"{0x0, 0x0, 0x0}":                          nil,
		"{0xc000012000, 0x20, 0x10}":               nil, // no slice is longer than its capacity
		"{{0xc000012000, 0x36}, 0x5}":              {{at: 0xc000012000, len: 0x36, cap: -1, sureLen: true, sure: true}},
		"{0xc000012000, ...}":                      nil,
		"{0xc000012000, 0x36}, {0xc000013000, 0x4": {{at: 0xc000012000, len: 0x36, cap: -1, sureLen: true, sure: true}},
	} {
		if got := values(list); !slices.Equal(got, want) {
			t.Errorf("%s: %+v, want %+v", list, got, want)
		}
	}
}

func TestAFunctionGoesThroughItsInputWhereItsNameSaysSo(t *testing.T) {
	for fn, want := range map[string]bool{
		"main.clean": true, "main.cleanupDone": false, "main.newCleaner": false, "main.parseLabel": true, "example.net/label.Parse": true, "main.(*desk).render": true,
		"encoding/json.Unmarshal": true, "main.parseFile": false, "main.importDocument": false, "main.solve": false,
		"golang.org/x/crypto/pbkdf2.Key": false,
	} {
		if goesThrough(fn) != want {
			t.Errorf("%s: %v", fn, !want)
		}
	}
}

func TestALoopIsTinyWhereFewFunctionsWereCaughtAtTheirBeginning(t *testing.T) {
	const head = "SIGABRT: abort\nPC=0x47a2e1 m=0 sigcode=0\n\n"
	stack := func(frames string) string {
		return head + "goroutine 7 [running]:\n" + frames + "runtime.goexit({})\n\t/usr/local/go/src/runtime/asm_amd64.s:1771 " +
			"+0x1 fp=0x1 sp=0x1 pc=0x1\ncreated by main.start\n\t/src/parcel/main.go:30 +0x5c\n\n" + parkedMain
	}
	for _, tt := range []struct {
		claim, frames string
		want          bool
	}{
		{"one function", "main.wait()\n\t/src/parcel/w.go:9 +0x1d fp=0x1 sp=0x1 pc=0x1\n", true},
		{"inlined into another", "main.wait(...)\n\t/src/parcel/w.go:9\nmain.run()\n\t/src/parcel/w.go:4 +0x17 fp=0x1 sp=0x1 " +
			"pc=0x1\n", true},
		{"called a moment ago", "main.done(0x1)\n\t/src/parcel/w.go:9 fp=0x1 sp=0x1 pc=0x1\nmain.run()\n\t/src/parcel/w.go:4 " +
			"+0x3b fp=0x1 sp=0x1 pc=0x1\n", true},
		{"a larger function", "main.multiply(0x1)\n\t/src/parcel/w.go:9 +0x94 fp=0x1 sp=0x1 pc=0x1\n", false},
		{"three functions", "main.pop(0x1)\n\t/src/parcel/w.go:9 fp=0x1 sp=0x1 pc=0x1\nmain.step(0x1)\n\t/src/parcel/w.go:4 " +
			"+0x3a fp=0x1 sp=0x1 pc=0x1\nmain.run(0x1)\n\t/src/parcel/w.go:2 +0x1c fp=0x1 sp=0x1 pc=0x1\n", false},
		{"no offset", "main.wait()\n\t/src/parcel/w.go:9\n", false},
	} {
		all := activity(inDump(t, stack(tt.frames)))
		if len(all) != 1 || all[0].tinyLoop() != tt.want {
			t.Errorf("%s: tiny is %v", tt.claim, !tt.want)
		}
	}
}

func TestALoopOverDataIsNoMoreThanARemark(t *testing.T) {
	const head = "SIGABRT: abort\nPC=0x47a2e1 m=0 sigcode=0\n\ngoroutine 7 [running]:\n"
	const tail = "\n\t/src/parcel/w.go:9 +0x1d fp=0x1 sp=0x1 pc=0x1\nruntime.goexit({})\n" +
		"\t/usr/local/go/src/runtime/asm_amd64.s:1771 +0x1 fp=0x1 sp=0x1 pc=0x1\n" +
		"created by main.start\n\t/src/parcel/main.go:30 +0x5c\n\n" + parkedMain
	for call, want := range map[string]bool{
		"main.wait()":    false,
		"main.wait(0x1)": false,
		"main.checksum({0xc000012400?, 0x0?, 0x0?})": true,
		"main.hash({0xc000012400, 0x1a})":            true,
	} {
		all := activity(inDump(t, head+call+tail))
		if len(all) != 1 || !loopsTight(&all[0], all) || mayWork(&all[0]) != want {
			t.Errorf("%s: may work is %v", call, !want)
		}
	}
}

func TestWorkIsFoundInTheNextDumpOfTheProcessThatHasIt(t *testing.T) {
	const stack = "main.solve()\n\t/src/parcel/main.go:9 +0x1d\n\n"
	made := func(process, state string) *rules.DumpInput {
		d := inDump(t, "goroutine 1 [chan receive]:\nmain.main()\n\t/src/parcel/main.go:4 +0x1d\n\ngoroutine 7 ["+state+"]:\n"+stack)
		d.Process = process
		return d
	}
	first, other := made("a", "runnable"), made("b", "runnable")
	rests, last := made("a", "chan receive"), made("a", "runnable")
	unknown := made("", "runnable")
	w := worksOf([]*rules.DumpInput{first, other, unknown, rests, last})
	for _, tt := range []struct {
		claim string
		d     *rules.DumpInput
		id    uint64
		want  *rules.DumpInput
	}{
		{"past a dump in which it rests, and past other processes", first, 7, last},
		{"from a dump in which it rests", rests, 7, last},
		{"not in the same dump", last, 7, nil},
		{"not of a goroutine that rests", first, 1, nil},
		{"not of no goroutine", first, 0, nil},
		{"not in another process", other, 7, nil},
		{"not where the process is unknown", unknown, 7, nil},
	} {
		next := w.after(tt.d, tt.id)
		if (next == nil) != (tt.want == nil) || next != nil && (next.a.d != tt.want || len(next.all) != 1) {
			t.Errorf("%s: %+v", tt.claim, next)
		}
	}
}
