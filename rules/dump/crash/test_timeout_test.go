package crash

import (
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

func TestTheTimeoutsOwnGoroutineIsToBlameForNothing(t *testing.T) {
	const (
		alarm = "panic: test timed out after 5m0s\n\ngoroutine 17 [running]:\n" +
			"testing.(*M).startAlarm.func1()\n\t/usr/local/go/src/testing/testing.go:2682 +0x345\n" +
			"created by time.goFunc\n\t/usr/local/go/src/time/sleep.go:215 +0x2d\n\n"
		runner = "goroutine 1 [chan receive, 5 minutes]:\ntesting.(*T).Run(0xc000003a40)\n" +
			"\t/usr/local/go/src/testing/testing.go:2109 +0x4c5\nmain.main()\n\t_testmain.go:45 +0x9b\n\n"
		test = "goroutine 7 [chan send, 5 minutes]:\nexample.com/shop.TestTill(0xc000003c00)\n" +
			"\t/src/shop/till_test.go:21 +0x1d\ntesting.tRunner(0xc000003c00)\n" +
			"\t/usr/local/go/src/testing/testing.go:2036 +0xea\ncreated by testing.(*T).Run in goroutine 1\n" +
			"\t/usr/local/go/src/testing/testing.go:2101 +0x4c5\n"
	)
	for text, want := range map[string]string{
		alarm + runner:        "",
		alarm + runner + test: "example.com/shop.TestTill",
	} {
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(text))[0], Input: "test.log"}}
		rulestest.Prepare(dumps, declared.Roles())
		found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: dumps})
		if len(found) != 1 || found[0].Culprit.Function != want {
			t.Errorf("%+v, want one about %q", found, want)
		}
	}
}

func TestATestThatTimedOutWaitsForWhatItHasStarted(t *testing.T) {
	const (
		alarm  = "panic: test timed out after 5m0s\n\n"
		inTest = "testing.tRunner(0xc000003c00)\n\t/go/src/testing/testing.go:2036 +0xea\n" +
			"created by testing.(*T).Run in goroutine 1\n\t/go/src/testing/testing.go:2101 +0x4c5\n\n"
		waits = "goroutine 7 [sync.WaitGroup.Wait]:\nsync.(*WaitGroup).Wait(0xc000010000)\n\t/go/src/sync/waitgroup.go:206 +0x85\n" +
			"example.com/shop.TestTill(0xc000003c00)\n\t/src/shop/till_test.go:21 +0x1d\n" + inTest
		calls = "goroutine 7 [select]:\nnet/http.(*persistConn).roundTrip(0xc000010000)\n\t/go/src/net/http/transport.go:2736 +0x9\n" +
			"example.com/shop.TestTill(0xc000003c00)\n\t/src/shop/till_test.go:21 +0x1d\n" + inTest
		receives = "goroutine 7 [chan receive]:\nexample.com/shop.TestTill(0xc000003c00)\n\t/src/shop/till_test.go:21 +0x1d\n" + inTest
		started  = "example.com/shop.work()\n\t/src/shop/till.go:9 +0x1d\n" +
			"created by example.com/shop.TestTill in goroutine 7\n\t/src/shop/till_test.go:12 +0x4c5\n\n"
		idle  = "goroutine 8 [select]:\n" + started
		sends = "goroutine 8 [chan send]:\n" + started
		other = "goroutine 9 [chan send]:\nexample.com/shop.old()\n\t/src/shop/till.go:30 +0x1d\n" +
			"created by example.com/shop.TestOld in goroutine 3\n\t/src/shop/till_test.go:40 +0x4c5\n\n"
	)
	for name, tt := range map[string]struct{ text, want string }{
		"in a WaitGroup":                        {alarm + waits + idle, "work"},
		"in a request":                          {alarm + calls + idle, "work"},
		"in a receive, beside an idle worker":   {alarm + receives + idle, "TestTill"},
		"in a receive, beside one that sends":   {alarm + receives + sends, "work"},
		"beside what an earlier test left":      {alarm + receives + other, "TestTill"},
		"in a WaitGroup, and nothing was found": {alarm + waits, "TestTill"},
	} {
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(tt.text))[0], Input: "test.log"}}
		rulestest.Prepare(dumps, declared.Roles())
		found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: dumps})
		if len(found) != 1 || found[0].Culprit.Function != "example.com/shop."+tt.want {
			t.Errorf("%s: %+v, want one about %q", name, found, tt.want)
		}
	}
}
