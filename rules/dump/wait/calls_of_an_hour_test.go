package wait

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// A longCase is a dump in notes, and what one rule says about it.
type longCase struct{ name, notes, want string }

func checkLong(t *testing.T, rule string, cases []longCase) {
	t.Helper()
	for _, c := range cases {
		if got := judged(listed(t, c.notes), rule); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

const sleepingMain = "1 [sleep]: time.Sleep main.main\n"

func TestSharesOfASemaphoreAreLostThoughNewOnesAskForThemAllTheTime(t *testing.T) {
	const (
		asks = "golang.org/x/sync/semaphore.(*Weighted).Acquire shop.(*Desk).run main.main.func1\n"
		old  = "4 [select, 17 minutes]: " + asks + "5 [select, 16 minutes]: " + asks + "6 [select, 16 minutes]: " + asks
	)
	checkLong(t, "client-pool-exhausted", []longCase{
		{"three have waited long", sleepingMain + old + "7 [select]: " + asks, "medium shop.(*Desk).run"},
		// Near misses.
		{"one has a share", sleepingMain + old + "7 [select]: " + asks + "8 [sleep]: time.Sleep shop.(*Desk).run main.main.func1\n", ""},
		{"none has waited long", sleepingMain + strings.NewReplacer("17", "5", "16", "5").Replace(old) + "7 [select]: " + asks, ""},
	})
}

// delayed is a dump with a run of a job, by cron, that waits for another one to end.
const delayed = wholeText + `goroutine 7 [sleep]:
time.Sleep(0xb2d05e00)
	/usr/local/go/src/runtime/time.go:363 +0x165
example.com/shop.compact(...)
	/src/shop/job.go:29
github.com/robfig/cron/v3.NewChain.DelayIfStillRunning.func1.1()
	/go/pkg/mod/github.com/robfig/cron/v3@v3.0.1/chain.go:71 +0x19c
created by main.main in goroutine 1
	/src/shop/main.go:46 +0x3a5

goroutine 9 [sync.Mutex.Lock, 6 minutes]:
internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)
	/usr/local/go/src/runtime/sema.go:95 +0x25
internal/sync.(*Mutex).lockSlow(0xc000122060)
	/usr/local/go/src/internal/sync/mutex.go:149 +0x15d
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
github.com/robfig/cron/v3.NewChain.DelayIfStillRunning.func1.1()
	/go/pkg/mod/github.com/robfig/cron/v3@v3.0.1/chain.go:66 +0x5a
created by main.main in goroutine 1
	/src/shop/main.go:46 +0x3a5
`

func TestRunsOfAJobThatAreDelayedAccuseNoRunThatGoesOn(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"it sleeps between two steps", delayed, "low"},
		// Near misses.
		{"it has waited for a quarter of an hour", strings.Replace(delayed, "[sleep]", "[sleep, 16 minutes]", 1), "medium"},
		{"a lock of the program's", strings.ReplaceAll(delayed, "NewChain.DelayIfStillRunning.func1.1", "run.func1"), "medium"},
	} {
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(test.text))[0], Input: "dump.txt"}}
		rulestest.Prepare(dumps, declared.Roles())
		found := rulestest.ApplyAll(standstillRules(), &rules.Pass{Dumps: dumps})
		if len(found) != 1 || string(found[0].Confidence) != test.want {
			t.Errorf("%s: want %s, got %+v", test.name, test.want, found)
		}
	}
}
