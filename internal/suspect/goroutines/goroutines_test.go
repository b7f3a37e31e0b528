package goroutines

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// dumpOf writes notes as a dump. A note is goroutines, their state, what they call, leaf first, and who started them:
// "7 [chan send, 3 minutes] queue.(*Queue).Put main.fill < main.main 1" is goroutine 7, "7..9 …" are three. Packages are
// those of the program, or of libraries where their path has a slash.
func dumpOf(t *testing.T, notes ...string) string {
	t.Helper()
	var b strings.Builder
	for _, note := range notes {
		ids, rest, _ := strings.Cut(note, " ")
		state, rest, ok := strings.Cut(rest, "] ")
		calls, creator, _ := strings.Cut(rest, " < ")
		var first, last int
		if _, err := fmt.Sscanf(ids, "%d..%d", &first, &last); err != nil {
			last = first
		}
		if first == 0 || !ok {
			t.Fatalf("no note: %q", note)
		}
		for id := first; id <= last; id++ {
			fmt.Fprintf(&b, "goroutine %d %s]:\n", id, state)
			for i, call := range strings.Fields(calls) {
				fmt.Fprintf(&b, "%s(0x1)\n\t%s:%d +0x1d\n", nameOf(call), fileOf(call), 10+i)
			}
			if fn, parent, ok := strings.Cut(creator, " "); ok {
				parent = strings.ReplaceAll(parent, "ID", fmt.Sprint(id+1000))
				fmt.Fprintf(&b, "created by %s in goroutine %s\n\t%s:9 +0x1d\n", nameOf(fn), parent, fileOf(fn))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func standard(call string) bool {
	return slices.ContainsFunc([]string{"sync.", "time.", "net.", "net/http.", "internal/", "runtime."}, func(p string) bool { return strings.HasPrefix(call, p) })
}

func nameOf(call string) string {
	if strings.HasPrefix(call, "main.") || strings.Contains(call, "/") || standard(call) {
		return call
	}
	return "example.com/app/" + call
}

func fileOf(call string) string {
	path, _, _ := strings.Cut(call, ".")
	switch {
	case standard(call):
		return "/usr/local/go/src/" + path + "/x.go"
	case strings.HasPrefix(call, "main."):
		return "/src/app/main.go"
	case strings.Contains(call, "/"):
		host, rest, _ := strings.Cut(call, "/")
		dir, _, _ := strings.Cut(rest, ".")
		return "/go/pkg/mod/" + host + "/" + dir + "@v1.2.3/lib.go"
	}
	return "/src/app/" + path + "/" + path + ".go"
}

// passOf reads dumps, each of the process that its name begins with: "a/1".
func passOf(t *testing.T, dumps map[string]string) *rules.Pass {
	t.Helper()
	p := &rules.Pass{}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range dumps {
			yield(name)
		}
	}) {
		all, err := stackparse.Parse(strings.NewReader(dumps[name]))
		if err != nil || len(all) != 1 {
			t.Fatalf("%d dumps: %v\n%s", len(all), err, dumps[name])
		}
		process, _, _ := strings.Cut(name, "/")
		p.Dumps = append(p.Dumps, &rules.DumpInput{Dump: all[0], Input: name, Process: process,
			Locate: func(line int64) (string, int64) { return name, line }})
	}
	program := frame.InferProgram(func(yield func(frame.Frame) bool) {
		for _, d := range p.Dumps {
			for _, b := range d.Buckets {
				for i := range b.Frames {
					if !yield(b.Frames[i].Frame) {
						return
					}
				}
			}
		}
	})
	for _, d := range p.Dumps {
		d.Program = program
		d.Roles = match.NewAssigner(program, declared.Roles()).Assign(d.Dump)
		d.Waits = parsed.Grapher()(d)
	}
	rules.Know(program, p.Dumps)
	return p
}

// suspectsOf are the suspects of one dump.
func suspectsOf(t *testing.T, notes ...string) []suspect.Suspect {
	t.Helper()
	return Suspects(passOf(t, map[string]string{"dump.txt": dumpOf(t, notes...)}))
}

func titles(all []suspect.Suspect) (titles []string) {
	for _, s := range all {
		titles = append(titles, s.Title)
	}
	return titles
}

func TestSendersThatWaitAreNamedBeforeALoopThatWaitsForWork(t *testing.T) {
	all := suspectsOf(t,
		"1 [chan receive, 9 minutes] main.main",
		"40..72 [chan send, 3 minutes] rollout.(*Rollout).upgradeOne rollout.(*Rollout).run < rollout.(*Rollout).Start 1",
		"7..30 [chan receive, 9 minutes] main.work < main.main 1",
	)
	want := suspect.Suspect{
		Points: all[0].Points,
		Title:  "33 goroutines wait to send in rollout.(*Rollout).upgradeOne (rollout.go:10)",
		Culprit: rules.Place{Function: "example.com/app/rollout.(*Rollout).upgradeOne", Package: "example.com/app/rollout",
			File: "/src/app/rollout/rollout.go", Line: 10},
		For: []string{"33 of the dump's 58 goroutines (57%) are here",
			"The oldest has waited 3 minutes; the longest wait in the dump is 9 minutes",
			"The call comes from rollout.(*Rollout).run (rollout.go:11)"},
		Evidence: []rules.Evidence{{Input: "dump.txt", Line: 5, Text: "goroutine 40 [chan send, 3 minutes], 33 goroutines", Count: 33}},
		Next:     rules.Commands("triage show dump.txt --goroutine 40"),
	}
	for id := range uint64(33) {
		want.Evidence[0].Goroutines = append(want.Evidence[0].Goroutines, 40+id)
	}
	if diff := cmp.Diff(want, all[0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if all[0].Points < suspect.Strong || len(all) != 2 {
		t.Errorf("%.1f points, of %q", all[0].Points, titles(all))
	}
}

func TestMoreThanUsualOfARoleIsASuspectAndTheUsualNumberIsNone(t *testing.T) {
	cron := "[select, 5 minutes] github.com/robfig/cron.(*Cron).run < github.com/robfig/cron.(*Cron).Start 1"
	main := "1 [chan receive, 9 minutes] main.main"
	all := suspectsOf(t, main, "7..206 "+cron)
	if want := "200 goroutines of cron.(*Cron).run: a process usually has one or a few (lib.go:10)"; all[0].Title != want {
		t.Errorf("%q, want %q first", titles(all), want)
	}
	if all[0].Points < suspect.Strong || !slices.Contains(all[0].For, "Each waits for the next job of a schedule") {
		t.Errorf("%.1f points for %q", all[0].Points, all[0].For)
	}
	if all := suspectsOf(t, main, "7..10 "+cron); len(all) != 0 {
		t.Errorf("four schedulers are usual: %q", titles(all))
	}
}

func TestNothingIsASuspectWhereEachRoleHasItsUsualNumber(t *testing.T) {
	idle := []string{
		"7..100 [IO wait, 5 minutes] internal/poll.runtime_pollWait net.(*netFD).accept net.(*TCPListener).Accept < main.main 1",
		"200..202 [select, 5 minutes] github.com/robfig/cron.(*Cron).run < github.com/robfig/cron.(*Cron).Start 1",
	}
	if all := suspectsOf(t, idle...); len(all) != 0 {
		t.Errorf("%q", titles(all))
	}
	if all := suspectsOf(t, append(idle, "9000 [select] main.work < main.main 1")...); len(all) != 1 {
		t.Errorf("one has no role: %q", titles(all))
	}
}

func TestMoreConnectionsThanUsualGiveNoPoints(t *testing.T) {
	read := "7..806 [IO wait] internal/poll.runtime_pollWait net.(*conn).Read github.com/gorilla/websocket.(*Conn).read " +
		"github.com/gorilla/websocket.(*Conn).ReadMessage main.serve < main.main 1"
	write := strings.NewReplacer("IO wait", "select", "internal/poll.runtime_pollWait net.(*conn).Read ", "").Replace(read)
	if all := suspectsOf(t, read); len(all) != 1 || all[0].Points >= suspect.Shown {
		t.Errorf("%+v", all)
	}
	if all := suspectsOf(t, write); len(all) == 0 || all[0].Points < suspect.Shown {
		t.Errorf("800 that do not read are a suspect: %+v", all)
	}
}

func TestTheCallerOfALibraryInWhichAProgramWaitsIsNamed(t *testing.T) {
	for library, want := range map[string]string{
		"golang.org/x/sync/errgroup.(*Group).Wait": "goroutine 7 waits for a WaitGroup in main.gather (main.go:12)",
		"github.com/rabbitmq/amqp091-go.call":      "goroutine 7 waits for a WaitGroup in main.gather (main.go:12)",
		"github.com/a/pool.(*Pool).Wait":           "goroutine 7 waits for a WaitGroup in pool.(*Pool).Wait (lib.go:11)",
	} {
		all := suspectsOf(t, "7 [sync.WaitGroup.Wait] sync.(*WaitGroup).Wait "+library+" main.gather < main.main 1")
		if len(all) != 1 || all[0].Title != want {
			t.Errorf("%q, want %q", titles(all), want)
		}
	}
}

func TestWhoMadeTheDumpIsNoSuspect(t *testing.T) {
	dump := []string{"7 [running] main.serveDump < main.main 1", "8 [runnable] main.count < main.main 1"}
	if all := suspectsOf(t, dump...); len(all) != 1 || all[0].Title != "goroutine 8 is ready to run in main.count (main.go:10)" {
		t.Errorf("%q", titles(all))
	}
}

func TestTheLastDumpOfAProcessIsHeldAgainstTheFirst(t *testing.T) {
	waits := " [chan send] main.put main.fill < main.main 1"
	rest := "1..4 [chan receive] main.main"
	for _, c := range []struct {
		first, last string
		want        []string
	}{
		{"7..9", "7..9", []string{"3 of 3 are still here in the later dump"}},
		{"7..9", "17..19", nil},
		{"7..9", "7..14", []string{"The 3 oldest are still here in the later dump", "5 more than in the earlier dump"}},
		{"7..26", "7..27", []string{"The 20 oldest are still here in the later dump"}},
	} {
		all := Suspects(passOf(t, map[string]string{"p/1": dumpOf(t, rest, c.first+waits), "p/2": dumpOf(t, rest, c.last+waits)}))
		at := slices.IndexFunc(all, func(s suspect.Suspect) bool { return s.Culprit.Function == "main.put" })
		if at < 0 {
			t.Fatalf("%q", titles(all))
		}
		var got []string
		for _, s := range all[at].For {
			if strings.Contains(s, "earlier dump") || strings.Contains(s, "later dump") {
				got = append(got, s)
			}
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) || all[at].Evidence[0].Input != "p/2" {
			t.Errorf("%s, then %s: %q in %s, want %q", c.first, c.last, got, all[at].Evidence[0].Input, c.want)
		}
	}
}

func TestOnePlaceInManyProcessesIsOneSuspect(t *testing.T) {
	waits := dumpOf(t, "1 [chan receive] main.main", "7..9 [chan send] main.put main.fill < main.main 1")
	all := Suspects(passOf(t, map[string]string{"a/1": waits, "b/1": waits, "c/1": dumpOf(t, "1..3 [chan receive] main.main")}))
	first := all[0]
	if first.Title != "6 goroutines wait to send in main.put (main.go:10)" || first.For[0] != "2 of 3 processes show it" ||
		len(first.Evidence) != 2 || first.Evidence[1].Input != "b/1" || first.Evidence[1].Count != 3 {
		t.Errorf("%+v", first)
	}
}

func TestEachFactIsSaidWhereItHoldsAndNowhereElse(t *testing.T) {
	const put = "7 [chan send, 3 minutes] queue.(*Queue).Put main.fill < main.main 1"
	for name, c := range map[string]struct {
		sentence   string
		with, near []string // the second is without the fact
	}{
		"it is the oldest": {"It has waited 3 minutes, as long as any in the dump", []string{put},
			[]string{put, "8 [select, 9 minutes] main.loop < main.main 1"}},
		"the caller": {"The call comes from main.fill (main.go:11)", []string{put},
			[]string{"7 [chan send] queue.(*Queue).Put < main.main 1"}},
		"it was called back": {"cache.(*Cache).Evict called main.evicted, which called back into cache.(*Cache).Len",
			[]string{"7 [sync.Mutex.Lock] sync.(*Mutex).Lock cache.(*Cache).Len main.evicted cache.(*Cache).Evict < main.main 1"},
			[]string{"7 [sync.Mutex.Lock] sync.(*Mutex).Lock cache.(*Cache).Len cache.(*Cache).Evict main.evicted < main.main 1"}},
		"the library waits for the program's callback": {
			"kafka.(*reader).run called main.handle, which called back into kafka.(*token).Wait",
			[]string{"7 [chan receive] github.com/acme/kafka.(*token).Wait main.handle github.com/acme/kafka.(*reader).run < main.main 1"},
			[]string{"7 [chan receive] github.com/acme/kafka.(*token).Wait main.handle github.com/acme/queue.(*reader).run < main.main 1"}},
		"others want a lock of its type": {
			"queue.(*Queue).Put, which is on this stack, may hold the lock that 3 goroutines in queue.(*Queue).Len wait for",
			[]string{put, "8..10 [sync.Mutex.Lock] sync.(*Mutex).Lock queue.(*Queue).Len main.watch < main.main 1"},
			[]string{put, "8..10 [sync.Mutex.Lock] sync.(*Mutex).Lock queue.(*Other).Len main.watch < main.main 1"}},
		"many are here": {"10 of the dump's 10 goroutines (100%) are here",
			[]string{"7..16 [chan send] main.put < main.main 1"}, []string{"7..15 [chan send] main.put < main.main 1"}},
		"nothing else runs": {"It is the only goroutine in its process that is running or ready to run",
			[]string{"1 [select] main.main", "7 [runnable] main.count < main.main 1"},
			[]string{"1 [select] main.main", "7 [runnable] main.count < main.main 1", "8 [runnable] main.other < main.main 1"}},
		"nobody else is in the package": {"No other goroutine is in package queue",
			[]string{put}, []string{put, "8 [select] queue.(*Queue).run < main.main 1"}},
		"a library's goroutines are there for it": {
			"100 library goroutines in http.(*Transport).dialConn may exist because of these",
			[]string{"1..100 [select] net/http.(*persistConn).writeLoop < net/http.(*Transport).dialConn 1",
				"101..150 [select] net/http.(*persistConn).roundTrip net/http.(*Client).Do main.ask main.loop < main.main 1"},
			[]string{"1..100 [select] net/http.(*persistConn).writeLoop < net/http.(*Transport).dialConn 1",
				"101..140 [select] net/http.(*persistConn).roundTrip net/http.(*Client).Do main.ask main.loop < main.main 1"}},
		"the call that waits": {"The wait is in net.(*Resolver).LookupHost",
			[]string{"7 [select] net.(*Resolver).lookupIPAddr net.(*Resolver).LookupHost main.find main.loop < main.main 1"},
			[]string{"7 [chan send] main.find main.loop < main.main 1"}},
		"nobody else holds the lock": {"No other goroutine seems to hold the lock",
			[]string{"7 [sync.Mutex.Lock, 5 minutes] sync.(*Mutex).Lock cache.(*Cache).Len main.evicted cache.(*Cache).Evict < main.main 1"},
			[]string{"7 [sync.Mutex.Lock, 5 minutes] sync.(*Mutex).Lock cache.(*Cache).Len main.evicted < main.main 1",
				"8 [select, 5 minutes] cache.(*Cache).Evict main.run < main.main 1"}},
	} {
		for i, notes := range [][]string{c.with, c.near} {
			all := suspectsOf(t, notes...)
			if said := slices.Contains(all[0].For, c.sentence); said != (i == 0) {
				t.Errorf("%s: %v of %s: %q", name, said, all[0].Title, all[0].For)
			}
		}
	}
}

func TestAProgramsFunctionIsNamedWhereTheLibraryThatCalledItWaitsForItself(t *testing.T) {
	for stack, want := range map[string]string{
		"github.com/acme/kafka.(*token).Wait main.ack main.handle github.com/acme/kafka.(*reader).run": "main.handle",
		"github.com/acme/kafka.(*token).Wait main.ack main.handle github.com/acme/queue.(*reader).run": "github.com/acme/kafka.(*token).Wait",
		"github.com/acme/kafka.(*token).Wait github.com/acme/kafka.(*reader).run main.handle main.ack": "github.com/acme/kafka.(*token).Wait",
		"main.ack github.com/acme/kafka.(*reader).run main.handle":                                     "main.ack",
	} {
		if all := suspectsOf(t, "7 [chan receive] "+stack+" < main.main 1"); all[0].Culprit.Function != want {
			t.Errorf("%s: %s, want %s", stack, all[0].Culprit.Function, want)
		}
	}
}

func TestEachDoubtIsSaidWhereItHoldsAndNowhereElse(t *testing.T) {
	for name, c := range map[string]struct {
		sentence   string
		with, near []string
	}{
		"others may end the wait": {"1 goroutine of package queue may end the wait: it sleeps in queue.(*Queue).run (queue.go:11)",
			[]string{"7 [chan send] queue.(*Queue).Put < main.main 1", "8 [sleep] time.Sleep queue.(*Queue).run < main.main 1"},
			[]string{"7 [chan send] queue.(*Queue).Put < main.main 1", "8 [sleep] time.Sleep main.run < main.main 1"}},
		"a timer": {"A select may have a timer, which a dump does not show",
			[]string{"7 [select] main.put < main.main 1"}, []string{"7 [chan send] main.put < main.main 1"}},
		"no ages": {"No goroutine shows a wait of a minute or more",
			[]string{"7 [chan send] main.put < main.main 1"}, []string{"7 [chan send, 1 minutes] main.put < main.main 1"}},
		"a loop": {"A loop that waits for work looks the same",
			[]string{"7 [chan receive] main.put < main.main 1"}, []string{"7 [chan receive] main.get main.put < main.main 1"}},
		"it works": {"It may simply be working",
			[]string{"7 [runnable] main.put < main.main 1"}, []string{"7 [select] main.put < main.main 1"}},
		"a role": {"Each of them waits where idle goroutines normally wait: only their number stands out",
			[]string{"7..20 [select] github.com/robfig/cron.(*Cron).run < github.com/robfig/cron.(*Cron).Start 1"},
			[]string{"7..20 [select] github.com/other/cron.(*Cron).run < github.com/other/cron.(*Cron).Start 1"}},
	} {
		for i, notes := range [][]string{c.with, c.near} {
			all := suspectsOf(t, notes...)
			if said := slices.Contains(all[0].Against, c.sentence); said != (i == 0) {
				t.Errorf("%s: %v of %s: %q", name, said, all[0].Title, all[0].Against)
			}
		}
	}
}

func TestWhatMayEndAWaitTakesPointsFromIt(t *testing.T) {
	const waits = "7..9 [chan send, 3 minutes] queue.(*Queue).Put main.fill < main.main 1"
	points := func(notes ...string) float64 {
		all := suspectsOf(t, notes...)
		at := slices.IndexFunc(all, func(s suspect.Suspect) bool { return strings.HasSuffix(s.Culprit.Function, ".Put") })
		if at < 0 {
			t.Fatalf("%q", titles(all))
		}
		return all[at].Points
	}
	for name, c := range map[string]struct{ with, near []string }{
		"others of its package go on": {
			[]string{waits, "20..29 [sleep] time.Sleep queue.run < main.main 1"},
			[]string{waits, "20..29 [sleep] time.Sleep other.run < main.main 1"}},
		"others of its package work": {
			[]string{waits, "20..29 [sleep] time.Sleep queue.run < main.main 1"},
			[]string{waits, "20..29 [IO wait] internal/poll.runtime_pollWait net.(*conn).Read " +
				"github.com/gorilla/websocket.(*Conn).ReadMessage queue.run < main.main 1"}},
		"what it started goes on": {
			[]string{waits, "20..22 [sleep] time.Sleep other.run < main.fill 7", "30 [sleep] time.Sleep other.run < main.fill 8"},
			[]string{waits, "20..22 [sleep] time.Sleep other.run < main.fill 77", "30 [sleep] time.Sleep other.run < main.fill 78"}},
		"a library's code": {
			[]string{strings.Replace(waits, "queue.(", "github.com/a/queue.(", 1)}, []string{waits}},
	} {
		if with, near := points(c.with...), points(c.near...); with >= near {
			t.Errorf("%s: %.1f points, without it %.1f", name, with, near)
		}
	}
}

func TestTheGoroutinesThatAWaitGroupWaitsForComeBeforeTheirWaiter(t *testing.T) {
	const waits = "7 [sync.WaitGroup.Wait] sync.(*WaitGroup).Wait main.gather < main.main 1"
	for creator, first := range map[string]string{"main.gather 7": "main.(*part).load", "main.other 9": "main.gather"} {
		all := suspectsOf(t, waits, "20..21 [select] main.(*part).load main.(*part).run < "+creator)
		if len(all) != 2 || all[0].Culprit.Function != first {
			t.Errorf("started by %s: %q, want %s first", creator, titles(all), first)
		}
	}
}

func TestSentencesAreShortWhateverTheNames(t *testing.T) {
	long := strings.Repeat("aVeryLongName", 100)
	all := suspectsOf(t, "7..20 [chan send, 3 minutes] queue.(*"+long+").Put main.x"+long+" queue.(*"+long+").Fill < main.main 1",
		"30 [sync.Mutex.Lock] sync.(*Mutex).Lock queue.(*"+long+").Len < main.main 1")
	for _, s := range all {
		if utf8.RuneCountInString(s.Title) > phrase.MaxTitle || len(s.For) > maxSentences || len(s.Against) > maxSentences {
			t.Errorf("%+v", s)
		}
		for _, sentence := range slices.Concat(s.For, s.Against) {
			if utf8.RuneCountInString(sentence) > maxSentence {
				t.Errorf("%d characters: %s", utf8.RuneCountInString(sentence), sentence)
			}
		}
	}
}

func TestATitleKeepsTheFunctionAndTheLine(t *testing.T) {
	for function, want := range map[string]string{
		"progress.(*Requester).Run": "12 goroutines wait for a sync.Cond in progress.(*Requester).Run (progress.go:11)",
		"progressofall.(*ConditionalProgressRequester).Run": "12 goroutines wait for a sync.Cond in " +
			"(*ConditionalProgressRequester).Run (progressofall.go:11)",
		"progress.(*ConditionalProgressRequesterOfAllWatches).RunOne": "12 goroutines in " +
			"(*ConditionalProgressRequesterOfAllWatches).RunOne (progress.go:11)",
	} {
		all := suspectsOf(t, "7..18 [sync.Cond.Wait] sync.(*Cond).Wait "+function+" < main.main 1")
		if len(all) != 1 || all[0].Title != want || utf8.RuneCountInString(want) > phrase.MaxTitle {
			t.Errorf("%q, want %q", titles(all), want)
		}
	}
}

func TestGoroutinesThatAreOnlyCountedAreShownByTheirFunction(t *testing.T) {
	text := "goroutine profile: total 12\n12 @ 0x43e0ee 0x44e2f5 0x6f6a31\n" +
		"#\t0x6f6a30\texample.com/app/queue.(*Queue).Put+0x30\t/src/app/queue/queue.go:12\n\n"
	all := Suspects(passOf(t, map[string]string{"debug1.txt": text}))
	want := rules.Commands("triage show debug1.txt --function 'example.com/app/queue.(*Queue).Put'")
	if len(all) != 1 || !slices.Equal(all[0].Next, want) || all[0].Evidence[0].Count != 12 {
		t.Errorf("%+v", all)
	}
	text = strings.ReplaceAll(text, "example.com/app/queue.(*Queue).Put+0x30", "0x6f6a30")
	if all := Suspects(passOf(t, map[string]string{"debug1.txt": text})); len(all) != 0 {
		t.Errorf("an address names nobody: %q", titles(all))
	}
}

func TestSilentRolesAreThoseOfTheBuiltinFile(t *testing.T) {
	for _, name := range silentRoles {
		if !slices.ContainsFunc(declared.Roles().Roles(), func(r *rules.Role) bool { return r.Name == name }) {
			t.Errorf("there is no role %q", name)
		}
	}
}

func TestSuspectsAreTheSameInEveryRun(t *testing.T) {
	var notes []string
	for i := range 77 {
		notes = append(notes, fmt.Sprintf("%d [select] main.loop%c%c < main.main 1", i+7, 'a'+i%7, 'a'+i%11))
	}
	first := titles(suspectsOf(t, notes...))
	if len(first) != suspect.Most {
		t.Errorf("%d suspects, want %d", len(first), suspect.Most)
	}
	for range 20 {
		if again := titles(suspectsOf(t, notes...)); !slices.Equal(first, again) {
			t.Fatalf("%q, then %q", first, again)
		}
	}
}

func TestMainIsASuspectBesideOthersWhereAFunctionOfItsOwnWaits(t *testing.T) {
	const reads = "7 [IO wait] internal/poll.runtime_pollWait net.(*conn).Read main.client < main.main 1"
	for main, want := range map[string]int{"main.stop main.main": 2, "main.main": 1} {
		if all := suspectsOf(t, "1 [chan receive] "+main, reads); len(all) != want {
			t.Errorf("%s: %q", main, titles(all))
		}
	}
	if all := suspectsOf(t, "1 [chan receive] main.stop main.main"); len(all) != 0 {
		t.Errorf("alone: %q", titles(all))
	}
}

func TestMainThatShutsAServerDownIsASuspectAndMainThatServesIsNone(t *testing.T) {
	server := "3 [IO wait] internal/poll.runtime_pollWait net.(*netFD).accept net.(*TCPListener).Accept net/http.(*Server).Serve < main.main 1"
	if all := suspectsOf(t, "1 [select] net/http.(*Server).Shutdown main.main", server); len(all) != 1 ||
		all[0].Title != "goroutine 1 waits in a select in main.main (main.go:11)" || !slices.Contains(all[0].For, "The wait is in http.(*Server).Shutdown") {
		t.Errorf("%q", titles(all))
	}
	if all := suspectsOf(t, "1 [select] main.main", server); len(all) > 0 {
		t.Errorf("%q", titles(all))
	}
}
