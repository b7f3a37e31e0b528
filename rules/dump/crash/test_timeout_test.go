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
