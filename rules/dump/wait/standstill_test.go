package wait

import (
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// leftLocked is a dump whose goroutines wait for a lock that nobody who is shown could hold.
var leftLocked = crowdOf(3, "sync.Mutex.Lock, 6 minutes", `internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)
	/usr/local/go/src/runtime/sema.go:95 +0xae
internal/sync.(*Mutex).lockSlow(0xc000122018)
	/usr/local/go/src/internal/sync/mutex.go:149 +0x140
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
example.com/shop/pool.(*Pool).Take(0xc000122000)
	/src/shop/pool/pool.go:31 +0x54
created by main.main in goroutine 1
	/src/shop/main.go:44 +0x67
`)

// A goroutine that ran on another thread when the dump was made has no stack in it, and may hold any lock.
func TestAGoroutineWithoutAStackMayHoldTheLock(t *testing.T) {
	const hidden = "goroutine 11 [running]:\n\tgoroutine running on other thread; stack unavailable\n" +
		"created by main.main in goroutine 1\n\t/src/shop/main.go:31 +0x47\n\n"
	for _, test := range []struct {
		text string
		want rules.Severity
	}{{leftLocked, rules.High}, {hidden + leftLocked, rules.Low}} {
		var got []rules.Severity
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(test.text))[0], Input: "dump.txt"}}
		rulestest.Prepare(dumps, declared.Roles())
		for _, f := range rulestest.ApplyAll(standstillRules(), &rules.Pass{Dumps: dumps}) {
			got = append(got, f.Severity)
		}
		if len(got) != 1 || got[0] != test.want {
			t.Errorf("%v, want %s", got, test.want)
		}
	}
}
