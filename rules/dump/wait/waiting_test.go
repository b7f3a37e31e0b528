package wait

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
)

func TestWaitingRulesCompile(t *testing.T) {
	c := newCalls()
	c.patterns()
	if c.err != nil {
		t.Error(c.err)
	}
	asked := regexp.MustCompile(`(?:holds|countIn|buckets|mostCalls|c\.run)\("([a-z-]+)"`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range asked.FindAllSubmatch(text, -1) {
			if !slices.ContainsFunc(c.progs, func(p callProg) bool { return p.call == string(m[1]) }) {
				t.Errorf("%s: stacks.md has no %q", file, m[1])
			}
			names++
		}
	}
	if names < 20 {
		t.Errorf("%d names of stacks in the source", names)
	}
}

// crowdOf writes goroutines 100, 101, … with one stack.
func crowdOf(n int, state, stack string) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, "goroutine %d [%s]:\n%s\n", 100+i, state, stack)
	}
	return sb.String()
}

// waitingFindings applies the rules about waiting goroutines to texts of dumps of one process.
func waitingFindings(t *testing.T, texts ...string) []rules.Finding {
	t.Helper()
	roles := declared.Roles()
	var dumps []*rules.DumpInput
	for i, text := range texts {
		for _, d := range dumptest.ParseDumps([]byte(text)) {
			dumps = append(dumps, &rules.DumpInput{Dump: d, Input: fmt.Sprintf("dump%d.txt", i), Process: "pod"})
		}
	}
	rulestest.Prepare(dumps, roles)
	return rulestest.ApplyAll(waitingRules(), &rules.Pass{Dumps: dumps})
}

const throttledStack = `golang.org/x/time/rate.(*Limiter).wait(0xc000130000)
	/go/pkg/mod/golang.org/x/time@v0.9.0/rate/rate.go:285 +0x65
k8s.io/client-go/util/flowcontrol.(*tokenBucketRateLimiter).Wait(0xc000130000)
	/go/pkg/mod/k8s.io/client-go@v0.34.1/util/flowcontrol/throttle.go:151 +0x65
k8s.io/client-go/rest.(*Request).tryThrottle(0xc000130000)
	/go/pkg/mod/k8s.io/client-go@v0.34.1/rest/request.go:697 +0x65
example.com/parcel/internal/depot.(*Labeller).label(0xc000130000)
	/src/parcel/internal/depot/label.go:44 +0x65
created by example.com/parcel/internal/depot.Start in goroutine 1
	/src/parcel/internal/depot/label.go:20 +0x8b
`

func TestThrottledRequestsAreWeighedByTheQueue(t *testing.T) {
	for n, want := range map[int]rules.Confidence{9: "", 10: rules.ConfLow, 99: rules.ConfLow, 100: rules.ConfMedium} {
		got := rules.Confidence("")
		for _, f := range waitingFindings(t, crowdOf(n, "select", throttledStack)) {
			got = f.Confidence
		}
		if got != want {
			t.Errorf("%d throttled requests: %q, want %q", n, got, want)
		}
	}
}

// A header's minutes may be two too many: two are no minute for sure.
func TestTwoMinutesInAHeaderAreNoMinuteForSure(t *testing.T) {
	for minutes, want := range map[int]int{2: 0, 3: 1} {
		if got := waitingFindings(t, crowdOf(1, fmt.Sprintf("select, %d minutes", minutes),
			throttledStack)); len(got) != want {
			t.Errorf("%d minutes: %d findings, want %d", minutes, len(got), want)
		}
	}
}

func TestASecondDumpOfTheProcessRaisesConfidence(t *testing.T) {
	dump := crowdOf(3, "select, 9 minutes", throttledStack)
	for _, tt := range []struct {
		name  string
		other string
		want  rules.Confidence
	}{
		{"the same goroutines on the same stack", dump, rules.ConfHigh},
		{"other goroutines on the same stack", strings.ReplaceAll(dump, "goroutine 10", "goroutine 90"), rules.ConfMedium},
		{"the same goroutines elsewhere", strings.ReplaceAll(dump, "label.go:44", "label.go:51"), rules.ConfMedium},
	} {
		found := waitingFindings(t, dump, tt.other)
		if len(found) == 0 || found[0].Confidence != tt.want {
			t.Errorf("%s: %+v, want confidence %s", tt.name, found, tt.want)
		}
	}
}

func TestCrashDumpsAreAskedForTheirCauseOnly(t *testing.T) {
	dump := "panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/parcel/main.go:9 +0x65\n\n" +
		crowdOf(100, "select, 9 minutes", throttledStack)
	if found := waitingFindings(t, dump); len(found) != 0 {
		t.Errorf("%d findings in a crash's dump: %+v", len(found), found)
	}
}

// Parents are in headers since Go 1.21: without them no stream's opener is known to be over.
func TestStreamsWithoutParentsAreNotAccused(t *testing.T) {
	stack := `google.golang.org/grpc/internal/transport.(*recvBufferReader).readClient(0xc000130000)
	/go/pkg/mod/google.golang.org/grpc@v1.50.0/internal/transport/transport.go:194 +0x65
google.golang.org/grpc.(*clientStream).RecvMsg(0xc000130000)
	/go/pkg/mod/google.golang.org/grpc@v1.50.0/stream.go:854 +0x65
example.com/parcel/internal/feed.(*Watcher).receive(0xc000130000)
	/src/parcel/internal/feed/watch.go:57 +0x65
created by example.com/parcel/internal/feed.(*Watcher).Status%s
	/src/parcel/internal/feed/watch.go:46 +0x8b
`
	for parent, want := range map[string]int{" in goroutine 7": 1, "": 0} {
		if got := waitingFindings(t, crowdOf(150, "select", fmt.Sprintf(stack, parent))); len(got) != want {
			t.Errorf("created by …%q: %d findings, want %d", parent, len(got), want)
		}
	}
}

func TestTitlesKeepTheActWhenNamesAreLong(t *testing.T) {
	for _, fn := range []string{
		"example.com/parcel/internal/ledger.(*Store).Save",
		"example.com/parcel/internal/" + strings.Repeat("long", 8) + ".(*" + strings.Repeat("Type", 5) + ").Save",
		"example.com/parcel/internal/ledger.(*" + strings.Repeat("Ü", 200) + ").Save",
		"",
	} {
		title := waitTitle(rules.Place{Function: fn, File: "/src/parcel/internal/ledger/store.go", Line: 40},
			"waits for a database connection")
		if n := utf8.RuneCountInString(title); n > phrase.MaxTitle {
			t.Errorf("%q: %d characters", title, n)
		}
		if len(fn) < 200 && !strings.Contains(title, "waits for a database connection") {
			t.Errorf("%q does not say the act", title)
		}
	}
}

// Vendored, versioned and escaped names of a function are that function.
func TestCallsSeeVendoredVersionedAndEscapedNames(t *testing.T) {
	c := newCalls()
	c.patterns()
	c.compile("asked", &match.Match{Frames: match.FramesMatch{Any: []string{"github.com/redis/go-redis/internal/pool.(*ConnPool).*",
		"github.com/nats-io/nats.go.(*Conn).waitForMsgs"}}})
	for fn, want := range map[string]bool{
		"github.com/redis/go-redis/internal/pool.(*ConnPool).waitTurn":                           true,
		"github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn":                        true,
		"example.com/parcel/vendor/github.com/redis/go-redis/internal/pool.(*ConnPool).waitTurn": true,
		"github.com/nats-io/nats%2ego.(*Conn).waitForMsgs":                                       true,
		"example.com/parcel/internal/pool.(*Pool).Get":                                           false,
	} {
		d := dumptest.ParseDumps([]byte("goroutine 7 [select]:\n" + fn + "(0x1)\n\t/a.go:1 +0x1\n"))[0]
		if got := len(c.hold(&rules.DumpInput{Dump: d})["asked"]) > 0; got != want {
			t.Errorf("%s: %t, want %t", fn, got, want)
		}
	}
}

// Whatever a dump holds, the rules say nothing that a report can't print.
func FuzzWaitingRules(f *testing.F) {
	f.Add(crowdOf(2, "select, 9 minutes", throttledStack))
	f.Add("goroutine 7 [runnable]:\n" + strings.Repeat("a.f(0x1)\n\t/a.go:1 +0x1\n", 50) +
		"...4000 frames elided...\n" + strings.Repeat("a.f(0x1)\n\t/a.go:1 +0x1\n", 50))
	f.Add("goroutine 7 [chan send, 9 minutes]:\ncreated by time.goFunc\n\t/usr/local/go/src/time/sleep.go:215 +0x2d\n")
	f.Add("goroutine 7 [select, 9 minutes]:\ngolang.org/x/sync/semaphore.(*Weighted).Acquire(0x1)\n\t/a.go:1 " +
		"+0x1\n\ngoroutine 8 [select, 9 minutes]:\nx.processNextWorkItem()\n\t/a.go:1 +0x1\n")
	all := Rules()
	f.Fuzz(func(t *testing.T, text string) {
		var dumps []*rules.DumpInput
		for _, d := range dumptest.ParseDumps([]byte(text)) {
			dumps = append(dumps, &rules.DumpInput{Dump: d, Input: "dump.txt", Process: "pod"})
		}
		rulestest.Prepare(dumps, nil)
		for _, found := range rulestest.ApplyAll(all, &rules.Pass{Dumps: dumps}) {
			if n := utf8.RuneCountInString(found.Title); found.Title == "" || n > phrase.MaxTitle ||
				len(found.Evidence) == 0 || found.Why == "" {
				t.Errorf("%+v", found)
			}
		}
	})
}

// Who began the open transactions is in the headers of those that watch them, since Go 1.21.
func TestExhaustedPoolsSayWhereTheConnectionsAre(t *testing.T) {
	const stack = `database/sql.(*DB).conn(0xc000130000)
	/usr/local/go/src/database/sql/sql.go:1369 +0x65
database/sql.(*DB).ExecContext(0xc000130000)
	/usr/local/go/src/database/sql/sql.go:1671 +0x65
example.com/parcel/internal/ledger.(*Store).Save(0xc000130000)
	/src/parcel/internal/ledger/store.go:40 +0x65
created by example.com/parcel/internal/ledger.Start in goroutine 1
	/src/parcel/internal/ledger/store.go:20 +0x8b
`
	const other = "\ngoroutine 7 [select, 5 " +
		"minutes]:\nexample.com/parcel/internal/mail.send(0xc000130000)\n\t/src/parcel/internal/mail/mail.go:9 +0x65\n"
	for _, tt := range []struct {
		name, parent string
		category     rules.Category
		says         string
	}{
		{"a waiter holds a transaction itself", " in goroutine 100", rules.Deadlock,
			"1 of them keeps a connection in an open transaction"},
		{"somebody else holds it, at work on other things", " in goroutine 7", rules.Contention, "mail.send (mail.go:9)"},
		{"who began it is gone", " in goroutine 99", rules.Deadlock, "were not returned"},
		{"the release names no parents", "", rules.Deadlock, "were not returned"},
	} {
		watch := "\ngoroutine 8 [chan receive, 5 " +
			"minutes]:\ndatabase/sql.(*Tx).awaitDone(0xc000130000)\n\t/usr/local/go/src/database/sql/sql.go:2212 " +
			"+0x65\ncreated by database/sql.(*DB).beginDC" + tt.parent +
			"\n\t/usr/local/go/src/database/sql/sql.go:1925 +0x8b\n"
		found := waitingFindings(t, crowdOf(2, "select, 5 minutes", stack)+other+watch)
		if len(found) != 1 || found[0].Severity != rules.High || found[0].Category != tt.category {
			t.Errorf("%s: %+v, want one of severity high in category %s", tt.name, found, tt.category)
			continue
		}
		text := found[0].Why
		for _, e := range found[0].Evidence {
			text += " " + e.Text
		}
		if !strings.Contains(text, tt.says) {
			t.Errorf("%s: %q does not say %q", tt.name, text, tt.says)
		}
	}
}
