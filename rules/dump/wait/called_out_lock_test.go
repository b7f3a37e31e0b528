package wait

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// A call that has returned kept its read lock: no stack shows it, and the writer's own calls are no better a suspect.
func TestAWriterThatWaitsForReadersWhomNoStackShowsAsksForWhatWasLeftOpen(t *testing.T) {
	const writer = `goroutine 1 [sync.RWMutex.Lock, 6 minutes]:
sync.runtime_SemacquireRWMutex(0x28?, 0x60?, 0x7f8b3477e5a8?)
	/usr/local/go/src/runtime/sema.go:105 +0x25
sync.(*RWMutex).Lock(0xa8c160?)
	/usr/local/go/src/sync/rwmutex.go:155 +0x6b
example.com/lib/store.(*DB).remap(0xc000122000, 0x100000)
	/src/lib/store/db.go:457 +0x4b
`
	const outer = "example.com/lib/store.(*DB).grow(0xc000122000)\n\t/src/lib/store/db.go:1206 +0x352\n"
	const root = "main.main()\n\t/src/shop/main.go:44 +0x67\n\n"
	const other = "goroutine 7 [select, 6 minutes]:\nmain.session()\n\t/src/shop/main.go:9 +0x54\n" +
		"created by main.main in goroutine 1\n\t/src/shop/main.go:40 +0x67\n\n"
	exclusive := strings.NewReplacer("sync.RWMutex.Lock", "sync.Mutex.Lock", "SemacquireRWMutex", "SemacquireMutex",
		"(*RWMutex).Lock", "(*Mutex).Lock", "rwmutex.go", "mutex.go")
	for _, test := range []struct {
		name, text, why string
		want            rules.Confidence
	}{
		{"below a call of the same object", writer + outer + root, "A call that has returned kept its read lock.", likely},
		{"below no other call", writer + root, "A call that has returned kept its read lock.", likely},
		{"a session may have it open", writer + outer + root + other, "A call that has returned kept its read lock.", rules.ConfLow},
		{"without minutes", strings.Replace(writer+outer+root, ", 6 minutes", "", 1), "A call that has returned kept its read lock.", rules.ConfMedium},
		// Near misses: the reader is on the same stack; a Mutex has no readers.
		{"a reader called it", writer + outer + "main.save()\n\t/src/shop/main.go:46 +0x20\n" +
			"example.com/lib/store.(*DB).View(0xc000122000)\n\t/src/lib/store/db.go:953 +0x6c\n" + root,
			"it most likely holds the lock already", rules.ConfMedium},
		{"a Mutex", exclusive.Replace(writer + outer + root), "it most likely holds the lock already", rules.ConfMedium},
	} {
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(test.text))[0], Input: "dump.txt"}}
		rulestest.Prepare(dumps, declared.Roles())
		got := rulestest.ApplyAll(standstillRules(), &rules.Pass{Dumps: dumps})
		if len(got) != 1 || sureness(&got[0]) != test.want || !strings.Contains(got[0].Why, test.why) {
			t.Errorf("%s: %+v, want %s and %q", test.name, got, test.want, test.why)
		}
	}
}
