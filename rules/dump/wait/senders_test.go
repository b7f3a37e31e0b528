package wait

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
)

// askersFrom is a dump of goroutines that wait to send an answer, each a number of births after the one before, started
// by goroutines that have ended, and of others in notes.
func askersFrom(t *testing.T, first, n, step int, notes string) *rules.DumpInput {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "goroutine %d [chan send]:\nmain.(*Mirrors).ask(...)\n\t/src/shop/ask.go:23\n"+
			"created by main.(*Mirrors).First in goroutine %d\n\t/src/shop/ask.go:16 +0x20\n\n", first+i*step, first+i*step-1)
	}
	for _, n := range dumptest.NotesOf(t, notes) {
		fmt.Fprintf(&b, "goroutine %d [%s]:\n", n.Number, n.State)
		for i, call := range n.Calls {
			fn, file := placed(call)
			fmt.Fprintf(&b, "%s(...)\n\t%s:%d +0x20\n", fn, file, 10+i)
		}
		b.WriteByte('\n')
	}
	return ready(dumptest.ParseDumps([]byte(b.String()))[0])
}

func TestSendersThatCameUntilNowAreLeftWhereAllOthersRest(t *testing.T) {
	const (
		asks = "1 [sleep]: time.Sleep kit.pause main.main\n"
		want = "medium main.(*Mirrors).ask"
	)
	for _, c := range []struct {
		name     string
		ids      [3]int
		notes, w string
	}{
		{"main makes requests with pauses", [3]int{20, 40, 3}, asks, want},
		{"a janitor of a library rests", [3]int{20, 40, 3}, asks + "5 [select]: lib.(*Cache).sweep\n", want},
		// Near misses: what a healthy program shows as well.
		{"nine of them", [3]int{20, 9, 12}, asks, "low main.(*Mirrors).ask"},
		{"they came in one go: a generator for each tenant", [3]int{20, 40, 1}, asks + "400 [chan receive]: kit.log\n", ""},
		{"main waits for a channel", [3]int{20, 40, 3}, "1 [select]: main.main\n", ""},
		{"another one works", [3]int{20, 40, 3}, asks + "7 [IO wait]: net.(*conn).Read main.fetch main.work\n", ""},
		{"a collector comes by at a tick", [3]int{20, 40, 3}, asks + "5 [select]: main.(*Mirrors).collect\n", ""},
	} {
		if got := judged(askersFrom(t, c.ids[0], c.ids[1], c.ids[2], c.notes), "channel-send-leak"); got != c.w {
			t.Errorf("%s: %q, want %q", c.name, got, c.w)
		}
	}
}

func TestSendersThatTakeASlotAreDoubtfulForAQuarterOfAnHour(t *testing.T) {
	queue := func(fn string) *rules.DumpInput {
		var b strings.Builder
		b.WriteString("goroutine 1 [sleep, 9 minutes]:\nmain.main()\n\t/src/shop/main.go:9 +0x20\n\n")
		for i := range 120 {
			fmt.Fprintf(&b, "goroutine %d [chan send, 5 minutes]:\nlim.(*Sem).%s(...)\n\t/src/lim/sem.go:20\n"+
				"main.(*Queue).work(...)\n\t/src/shop/queue.go:60\n"+
				"created by main.(*Queue).Submit in goroutine %d\n\t/src/shop/queue.go:31 +0x20\n\n",
				30+3*i, fn, 29+3*i)
		}
		return ready(dumptest.ParseDumps([]byte(b.String()))[0])
	}
	for fn, want := range map[string]string{
		"Acquire": "low lim.(*Sem).Acquire",
		"publish": "medium lim.(*Sem).publish",
	} {
		if got := judged(queue(fn), "channel-send-leak"); got != want {
			t.Errorf("%s: %q, want %q", fn, got, want)
		}
	}
}

func TestAHundredCountedSendersAreLeftWhereAllOthersRest(t *testing.T) {
	const (
		senders = "150 [chan send]: lib.(*Tree).visit lib.(*Tree).Iter.func1\n"
		rest    = "1 [sync.WaitGroup.Wait]: main.main\n"
		want    = "medium lib.(*Tree).visit"
	)
	check(t, counted, "", "channel-send-leak", []claim{
		{"nobody else is there", senders + rest, want},
		{"another library's janitor rests", senders + rest + "1 [chan receive]: kit.reports\n", want},
		// Near misses: what a healthy program shows as well.
		{"fewer than a hundred", "90 [chan send]: lib.(*Tree).visit lib.(*Tree).Iter.func1\n" + rest, "low lib.(*Tree).visit"},
		{"another one works", senders + rest + "1 [IO wait]: net.(*conn).Read main.fetch main.work\n", "low lib.(*Tree).visit"},
		{"main waits for a channel", senders + "1 [chan receive]: main.merge main.main\n", "low lib.(*Tree).visit"},
		{"sixty others are in the process", senders + rest + "60 [chan receive]: main.idle\n", "low lib.(*Tree).visit"},
	})
}
