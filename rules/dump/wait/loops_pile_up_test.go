package wait

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/stackparse"
)

func TestAStartIsNamedByTheFunctionThatHasAName(t *testing.T) {
	for _, c := range []struct{ fn, want string }{
		{"example.org/meter.NewClient", "meter.NewClient"},
		{"example.org/meter.(*Client).start.func1", "meter.(*Client).start"},
		{"example.org/meter.NewClient.func2.1", "meter.NewClient"},
		{"", "the function that starts them"},
	} {
		if got := startName(c.fn); got != c.want {
			t.Errorf("%q is named %q, want %q", c.fn, got, c.want)
		}
	}
}

func TestOnlyLooseIdsSayThatOthersWereStartedBetween(t *testing.T) {
	piled := func(count int, last uint64) *loops {
		return &loops{crowd: &crowd{count: count, buckets: []*stackparse.Bucket{{}}}, total: count,
			came: arrival{known: true, came: true, first: 11, last: last, newest: 2020}}
	}
	for _, c := range []struct {
		l    *loops
		want string
	}{
		{piled(500, 2010), "They were not started all at once: they are among goroutines 11 to 2010 of the 2020 that the process started."},
		{piled(2000, 2010), "They are goroutines 11 to 2010 of the 2020 that the process started."},
		{&loops{}, ""},
	} {
		if got := c.l.cameText(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// loopsFrom are notes of n goroutines of a loop, each a certain number of births after the one before.
func loopsFrom(first, n, step int, call string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d [select]: %s\n", first+i*step, call)
	}
	return b.String()
}

func TestAThousandLoopsThatCameInOneGoAreNoPile(t *testing.T) {
	const buffer, main = "lib.(*Channel).buffer", "1 [sleep]: time.Sleep main.main\n"
	check(t, listed, "", "loops-pile-up", []claim{
		// Sessions that a service opens when it starts look the same, until minutes show otherwise.
		{"they are all that the process ever started", main + loopsFrom(5, 1200, 1, buffer), ""},
		{"fewer", main + loopsFrom(5, 700, 1, buffer), ""},
		{"all at the start, and others were born since", main + loopsFrom(5, 1200, 1, buffer) + "4000 [select]: main.serve\n", ""},
		{"actors", main + loopsFrom(5, 1200, 1, "lib.(*Actor).run"), ""},
		{"minutes show that they came in one go", main + strings.ReplaceAll(loopsFrom(5, 1200, 1, buffer), "select", "select, 7 minutes"), ""},
	})
}

func TestCachesByTheThousandPileUp(t *testing.T) {
	const worker = "lib.(*Cache).worker"
	for n, want := range map[int]string{1300: "medium " + worker, 600: ""} {
		if got := judged(counted(t, fmt.Sprintf("%d [select]: %s\n1 [select]: main.main\n", n, worker)), "loops-pile-up"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// Caches that tenants' first requests make come one by one, and so do readers of the program: it has one for each tenant.
func TestLoopsThatCameOneByOneAreNoPileWhereAProgramHasOneForEachTenant(t *testing.T) {
	const main = "1 [sleep]: time.Sleep main.main\n"
	for _, c := range []struct{ name, notes, want string }{
		{"a library's loops", main + loopsFrom(5, 600, 3, "lib.(*Channel).buffer"), "medium lib.(*Channel).buffer"},
		{"many caches", main + loopsFrom(5, 1300, 3, "lib.(*Cache).worker"), "medium lib.(*Cache).worker"},
		{"a cache for each tenant", main + loopsFrom(5, 600, 3, "lib.(*Cache).worker"), ""},
		{"readers of the program", main + loopsFrom(5, 600, 3, "lib.(*Stream).Read main.(*port).receive"), ""},
	} {
		if got := judged(listed(t, c.notes), "loops-pile-up"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestIdleLoopsPileUpWhereNothingWasDoneWithTheirObjects(t *testing.T) {
	const dispatch = "github.com/gammazero/workerpool.(*WorkerPool).dispatch"
	pools := func(n, step int, started string, object func(i int) int) string {
		var b strings.Builder
		b.WriteString("goroutine 1 [chan receive]:\nmain.main()\n\t/src/shop/main.go:20 +0x5e\n\n")
		for i := range n {
			fmt.Fprintf(&b, "goroutine %d [select]:\n%s(%#x)\n\t/go/pkg/mod/github.com/gammazero/workerpool@v1.1.1/workerpool.go:184"+
				" +0x10d\ncreated by github.com/gammazero/workerpool.%s in goroutine 1\n"+
				"\t/go/pkg/mod/github.com/gammazero/workerpool@v1.1.1/workerpool.go:37 +0x125\n\n",
				5+i*step, dispatch, 0xc000800000+0x60*object(i), started)
		}
		return b.String()
	}
	own := func(i int) int { return i }
	for _, c := range []struct{ name, text, want string }{
		{"a pool for each batch", pools(800, 7, "New", own), "medium " + dispatch},
		{"a pool for each tenant, which asks for more every now and then", pools(800, 12, "New", own), ""},
		{"workers of one pool", pools(800, 7, "New", func(int) int { return 0 }), ""},
		{"workers that a pool starts when it needs them", pools(800, 7, "(*WorkerPool).grow", own), ""},
		{"few", pools(180, 7, "New", own), ""},
		{"all in one go", pools(800, 1, "New", own), ""},
	} {
		d := ready(dumptest.ParseDumps([]byte(c.text))[0])
		if got := judged(d, "loops-pile-up"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCountedGoroutinesThatRunTheProgramAreNoPileOfLoops(t *testing.T) {
	const next, main = "1200 [select]: lib.(*Subscription).Next", "\n1 [select]: main.main\n"
	const loop = "medium lib.(*Subscription).Next"
	check(t, counted, "", "loops-pile-up", []claim{
		{"a loop of the program's for each subscription", next + " main.follow" + main, ""},
		{"a function of the program's that a simulation runs for each car", next + " main.car lib.(*Sim).process" + main, ""},
		{"a loop of the library's for each", next + " lib.(*Subscription).loop" + main, loop},
		{"a loop of the library's for each, which calls the program in some", next + " lib.(*Subscription).loop\n" +
			"9 [select]: lib.(*Topic).Send main.onEvent lib.(*Subscription).loop" + main, loop},
	})
}

func TestLoopsThatAllCameInOneGoAreNoPileWhereSomeWereWokenSince(t *testing.T) {
	view := func(minutes func(i int) int) string {
		notes := "1 [chan receive, 5 minutes]: main.main\n"
		for i := range 400 {
			wait := "chan receive"
			if m := minutes(i); m > 0 {
				wait = fmt.Sprintf("chan receive, %d minutes", m)
			}
			notes += fmt.Sprintf("%d [%s]: lib.(*Grain).loop\n", 10+i, wait)
		}
		return notes
	}
	for _, c := range []struct {
		name, want string
		minutes    func(i int) int
	}{
		{"a few had something to do", "", func(i int) int { return min(3, i/4*3) }},
		{"they came until now", "medium lib.(*Grain).loop", func(i int) int { return 5 - i/80 }},
		{"they came until minutes ago", "medium lib.(*Grain).loop", func(i int) int { return 9 - i/80 }},
	} {
		if got := judged(listed(t, view(c.minutes)), "loops-pile-up"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A signal's traceback goes down to runtime.goexit, below what the go statement became.
func TestConnectionsOfAClientAreNoPileOfLoopsInATracebackEither(t *testing.T) {
	for name, test := range map[string]struct {
		calls string
		want  bool
	}{
		"as a dump shows them": {"net/http.(*persistConn).readLoop", false},
		"as a traceback does":  {"net/http.(*persistConn).readLoop net/http.(*Transport).dialConn.gowrap2 runtime.goexit", false},
		// Near miss: a loop of a library.
		"another loop": {"example.com/meter.(*Client).loop example.com/meter.NewClient.gowrap1 runtime.goexit", true},
	} {
		d := listed(t, idleMain+rowOf(20, 260, "select", test.calls))
		for _, b := range d.Buckets {
			if c := (&crowd{buckets: []*stackparse.Bucket{b}}); b.Count > 1 && c.openBodies() == test.want {
				t.Errorf("%s: connections of a client: %v", name, !test.want)
			}
		}
	}
}
