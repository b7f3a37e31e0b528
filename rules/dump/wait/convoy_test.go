package wait

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// spooled is a dump whose goroutines write through a dependency that sends under its lock.
var spooled = `goroutine 7 [IO wait]:
internal/poll.runtime_pollWait(0x7fa06f195200, 0x77)
	/usr/local/go/src/runtime/netpoll.go:351 +0x85
net.(*conn).Write(0xc000180000, {0xc000190000, 0x400, 0x400})
	/usr/local/go/src/net/net.go:206 +0x45
example.org/spool.(*Spool).send(...)
	/go/pkg/mod/example.org/spool@v1.2.0/spool.go:52
example.org/spool.(*Spool).Write(0xc000122000, {0xc000190000, 0x400, 0x400})
	/go/pkg/mod/example.org/spool@v1.2.0/spool.go:40 +0x54
example.com/shop/audit.Record({0xc000190000, 0x400})
	/src/shop/audit/audit.go:20 +0x54
example.com/shop/web.(*Desk).pay(0xc000150000)
	/src/shop/web/desk.go:31 +0x54
created by main.main in goroutine 1
	/src/shop/main.go:44 +0x67

` + crowdOf(5, "sync.Mutex.Lock, 4 minutes", `internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)
	/usr/local/go/src/runtime/sema.go:95 +0xae
internal/sync.(*Mutex).lockSlow(0xc000122018)
	/usr/local/go/src/internal/sync/mutex.go:149 +0x140
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
example.org/spool.(*Spool).Write(0xc000122000, {0xc000190000, 0x400, 0x400})
	/go/pkg/mod/example.org/spool@v1.2.0/spool.go:33 +0x54
example.com/shop/audit.Record({0xc000190000, 0x400})
	/src/shop/audit/audit.go:20 +0x54
created by main.main in goroutine 1
	/src/shop/main.go:44 +0x67
`)

// What a dependency does under its lock is its callers' to keep apart: the nearest call of the program is the culprit.
func TestInAConvoyBehindADependencyTheProgramsOwnCallerIsTheCulprit(t *testing.T) {
	own := "example.com/shop/audit.Record({0xc000190000, 0x400})\n\t/src/shop/audit/audit.go:20 +0x54\n"
	outer := "example.com/shop/web.(*Desk).pay(0xc000150000)\n\t/src/shop/web/desk.go:31 +0x54\n"
	for _, test := range []struct{ name, text, want, fix string }{
		{"a request", spooled, "example.com/shop/audit.Record", "at audit.go:20, pass its input"},
		// Near misses.
		{"the dependency's own goroutine", strings.Replace(strings.Replace(spooled, own, "", 1), outer, "", 1), "example.org/spool.(*Spool).send", "spool.go:52"},
		{"a package of the program", strings.ReplaceAll(strings.ReplaceAll(spooled, "example.org/spool", "example.com/shop/spool"), "/go/pkg/mod/example.com/shop/spool@v1.2.0", "/src/shop/spool"),
			"example.com/shop/spool.(*Spool).send", "spool.go:52"},
	} {
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(test.text))[0], Input: "dump.txt"}}
		rulestest.Prepare(dumps, declared.Roles())
		found := rulestest.ApplyAll(standstillRules(), &rules.Pass{Dumps: dumps})
		if len(found) != 1 || found[0].Culprit.Function != test.want || !strings.Contains(found[0].Fix, test.fix) {
			t.Errorf("%s: want %s, got %+v", test.name, test.want, found)
		}
	}
}

// A queue that moves on shows a minute or two, and its holder has come there lately.
func TestAConvoyThatMayMoveOnIsNoAlarm(t *testing.T) {
	for _, test := range []struct {
		name, waiters, holder string
		want                  rules.Confidence
	}{
		{"five minutes", ", 5 minutes", "", rules.ConfMedium},
		{"the holder has been there as long", ", 4 minutes", ", 3 minutes", rules.ConfMedium},
		{"less than a minute for sure", ", 2 minutes", ", 2 minutes", rules.ConfLow},
		{"the holder has come since", ", 4 minutes", "", rules.ConfLow},
	} {
		text := strings.ReplaceAll(spooled, ", 4 minutes", test.waiters)
		text = strings.Replace(text, "[IO wait]", "[IO wait"+test.holder+"]", 1)
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(text))[0], Input: "dump.txt"}}
		rulestest.Prepare(dumps, declared.Roles())
		found := rulestest.ApplyAll(standstillRules(), &rules.Pass{Dumps: dumps})
		if len(found) != 1 || found[0].Confidence != test.want {
			t.Errorf("%s: want %s, got %+v", test.name, test.want, found)
		}
	}
}
