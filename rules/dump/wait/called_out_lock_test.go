package wait

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// A store has a lock for writers and one for its map of the file, and its methods call each other. A reader hangs in what
// it gave the store to call; a writer waits until the readers have left.
func TestAReaderThatCalledOutIsAccusedRatherThanTheWriterThatWaitsForIt(t *testing.T) {
	const (
		writer = `goroutine 1 [sync.RWMutex.Lock, 6 minutes]:
sync.runtime_SemacquireRWMutex(0x28?, 0x60?, 0x7f8b3477e5a8?)
	/usr/local/go/src/runtime/sema.go:105 +0x25
sync.(*RWMutex).Lock(0xa8c160?)
	/usr/local/go/src/sync/rwmutex.go:155 +0x6b
example.com/lib/store.(*DB).remap(0xc000122000, 0x100000)
	/src/lib/store/db.go:457 +0x4b
example.com/lib/store.(*DB).grow(0xc000122000, 0x71)
	/src/lib/store/db.go:1206 +0x352
example.com/lib/store.(*DB).Update(0xc000122000, 0xc000102000)
	/src/lib/store/db.go:906 +0x33
main.main()
	/src/shop/main.go:44 +0x67

`
		rest = `example.com/lib/store.(*DB).begin(0xc000122000)
	/src/lib/store/db.go:847 +0x6f
example.com/lib/store.(*DB).Update(0xc000122000, 0xc000103000)
	/src/lib/store/db.go:906 +0x33
main.fill()
	/src/shop/main.go:30 +0x4c
created by main.main in goroutine 1
	/src/shop/main.go:40 +0x67
`
	)
	reader := func(state, leaf string) string {
		return "goroutine 9 [" + state + "]:\n" + leaf + `example.com/lib/store.(*DB).View(0x7b2ca8?, 0xc000104000)
	/src/lib/store/db.go:953 +0x6c
main.export()
	/src/shop/main.go:21 +0x56
created by main.main in goroutine 1
	/src/shop/main.go:39 +0x67

`
	}
	const sends = "main.export.func1(0xc000104000)\n\t/src/shop/main.go:23 +0x46\n"
	queue := crowdOf(3, "sync.Mutex.Lock, 6 minutes", `internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)
	/usr/local/go/src/runtime/sema.go:95 +0xae
internal/sync.(*Mutex).lockSlow(0xc000122130)
	/usr/local/go/src/internal/sync/mutex.go:149 +0x140
`+rest)
	for _, test := range []struct {
		name, text, want string
	}{
		{"it sends in what the store called", writer + reader("chan send, 6 minutes", sends) + queue,
			"likely main.export.func1"},
		// Near misses.
		{"it waits in the store itself", writer + reader("chan send, 6 minutes", "") + queue,
			"low example.com/lib/store.(*DB).remap"},
		{"nobody reads", writer + queue, "likely example.com/lib/store.(*DB).remap"},
	} {
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(test.text))[0], Input: "dump.txt"}}
		rulestest.Prepare(dumps, declared.Roles())
		var got []string
		for _, f := range rulestest.ApplyAll(standstillRules(), &rules.Pass{Dumps: dumps}) {
			got = append(got, string(sureness(&f))+" "+f.Culprit.Function)
		}
		if len(got) != 1 || got[0] != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

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
		{"below a call of the same object", writer + outer + root, "A call returned without releasing its read lock.",
			likely},
		{"below no other call", writer + root, "A call returned without releasing its read lock.", likely},
		{"a session may have it open", writer + outer + root + other, "A call returned without releasing its read lock.",
			rules.ConfLow},
		{"without minutes", strings.Replace(writer+outer+root, ", 6 minutes", "", 1),
			"A call returned without releasing its read lock.", rules.ConfMedium},
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
