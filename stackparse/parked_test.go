package stackparse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
)

// parkedIn are the functions of the zoo program that wait for a channel, with the class that a debug=2 dump shows for
// each. One select has no case and one receive a nil channel: at debug=1 they are a select and a receive.
var parkedIn = map[string]Class{
	"main.publish": ClassChanSend, "main.consume": ClassChanReceive, "main.dispatch": ClassSelect,
	"main.sendNowhere": ClassNilChan, "main.receiveNowhere": ClassChanReceive, "main.selectNothing": ClassSelect,
	"main.(*family).child": ClassChanReceive, "main.onTimer": ClassChanReceive, "main.watchTicker": ClassChanReceive,
}

// measuredReleases are those of testdata/dumps that parkedTable has.
var measuredReleases = []string{"go1.18", "go1.20", "go1.22", "go1.23", "go1.25", "go1.26", "go1.27"}

func zooAtDebug1(t *testing.T, release string) *Dump {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(captures.Dumps(t, fixtures, release), release, "zoo-debug1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return parseOne(t, string(text))
}

func TestAProfileAtDebug1ShowsWhichOperationOnAChannelAGoroutineWaitsIn(t *testing.T) {
	for _, release := range measuredReleases {
		seen := map[string]bool{}
		for _, b := range zooAtDebug1(t, release).Buckets {
			leaf := b.Frames[0].Func
			want, ok := parkedIn[leaf]
			if !ok {
				continue
			}
			seen[leaf] = true
			if b.Class != want {
				t.Errorf("%s: %s is %q, want %q", release, leaf, b.Class, want)
			}
		}
		if len(seen) < len(parkedIn)-1 {
			t.Errorf("%s: only %v were seen", release, seen)
		}
	}
}

func TestAnUnknownDistanceIsNoOperation(t *testing.T) {
	for _, release := range []string{"go1.12", "go1.16"} { // older than the table
		for _, b := range zooAtDebug1(t, release).Buckets {
			if want, ok := parkedIn[b.Frames[0].Func]; ok && b.Class != want && b.Class != ClassOther {
				t.Errorf("%s: %s is %q, want %q or nothing", release, b.Frames[0].Func, b.Class, want)
			}
		}
	}
	// The same record with its third address one byte on, and one of a goroutine that is not parked.
	for _, pcs := range []string{"0x48256e 0x41559c 0x415198 0x51b725", "0x48256e 0x51b725", "0x51b725"} {
		d := parseOne(t, "goroutine profile: total 7\n7 @ "+pcs+"\n#\t0x51b724\tmain.publish+0x24\t/src/main.go:12\n")
		if c := d.Buckets[0].Class; c != ClassOther {
			t.Errorf("%s: %q", pcs, c)
		}
	}
}

// A select shows two addresses only; that the first is gopark's is known from the others.
func TestASelectIsRecognisedByTheAddressThatAllWaitersShare(t *testing.T) {
	const selects = "7 @ 0x48256e 0x462265 0x51b6a5\n#\t0x51b6a4\tmain.dispatch+0x64\t/src/main.go:18\n"
	const sends = "3 @ 0x48256e 0x41559c 0x415197 0x51b725\n#\t0x51b724\tmain.publish+0x24\t/src/main.go:12\n"
	for text, want := range map[string]Class{
		"goroutine profile: total 10\n" + selects + "\n" + sends:                                             ClassSelect,
		"goroutine profile: total 7\n" + selects:                                                             ClassOther,
		"goroutine profile: total 10\n" + strings.ReplaceAll(selects, "0x48256e", "0x48256f") + "\n" + sends: ClassOther,
	} {
		if got := parseOne(t, text).Buckets[0].Class; got != want {
			t.Errorf("%q, want %q, in\n%s", got, want, text)
		}
	}
}

// Of arm64, 0x464 is a receive under 1.25.12 and a send under 1.19: the other records of the profile decide, and
// without one nothing is concluded. An address that is no multiple of four is of amd64, where 0x448 is a send alone.
func TestADistanceWithTwoMeaningsIsDecidedByTheOtherRecords(t *testing.T) {
	record := func(distance uint64, odd uint64) string {
		return fmt.Sprintf("2 @ %#x %#x 0x20000 0x51b728\n#\t0x51b727\tmain.f+0x24\t/src/main.go:%d\n\n", 0x48250+odd,
			0x20000+distance, distance)
	}
	for _, c := range []struct {
		records string
		want    Class
	}{
		{record(0x464, 0), ClassOther},
		{record(0x464, 0) + record(0x3ac, 0), ClassChanReceive}, // a send of 1.25.12
		{record(0x464, 0) + record(0x498, 0), ClassChanSend},    // a receive of 1.19
		{record(0x448, 0), ClassOther},
		{record(0x448, 2), ClassChanSend},
	} {
		d := parseOne(t, "goroutine profile: total 4\n"+c.records)
		for _, b := range d.Buckets {
			if line := b.Frames[0].Line; (line == 0x464 || line == 0x448) && b.Class != c.want {
				t.Errorf("%q, want %q, in\n%s", b.Class, c.want, c.records)
			}
		}
	}
}

// A process whose other goroutines sleep or wait for connections shows gopark's address in these.
func TestASelectIsKnownByGoparkOfSleepers(t *testing.T) {
	d := parseOne(t, `goroutine profile: total 7
5 @ 0x4881ce 0x467ae9 0x675325 0x48f981
#	0x675324	main.loop+0x44	/src/main.go:69

1 @ 0x4881ce 0x48a2a5 0x672d65 0x48f981
#	0x48a2a4	time.Sleep+0x184	/usr/local/go/src/runtime/time.go:364
#	0x672d64	main.main+0x24	/src/main.go:20

1 @ 0x4881cf 0x467ae9 0x675326 0x48f981
#	0x675325	main.other+0x44	/src/main.go:80
`)
	for _, b := range d.Buckets {
		want := map[string]Class{"main.loop": ClassSelect, "main.other": ClassOther, "time.Sleep": ClassSleep}[b.Frames[0].Func]
		if b.Class != want {
			t.Errorf("%s is %q, want %q", b.Frames[0].Func, b.Class, want)
		}
	}
}
