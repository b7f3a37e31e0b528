package wait

import (
	"testing"

	"github.com/gotriage/triage/rules"
)

// A store has a lock for writers and one that readers share. A reader hands rows to a client and has the latter only.
func TestAHolderIsNotAccusedWhereAnotherIsAsLikelyOrTheLockMovedSinceItCame(t *testing.T) {
	const begin = lockTill + `example.com/lib/store.(*DB).begin(0xc000122000)
	/src/lib/store/db.go:31 +0x54
example.com/lib/store.(*DB).Update(0xc000122000, 0xc000102000)
	/src/lib/store/db.go:50 +0x54
`
	writer := func(age string) string {
		return crowdOf(1, "sync.Mutex.Lock, "+age, begin+"main.book()\n\t/src/shop/main.go:44 +0x67\n"+
			"created by main.main in goroutine 1\n\t/src/shop/main.go:20 +0x67\n")
	}
	inStore := func(id, state, calls, method string) string {
		return "goroutine " + id + " [" + state + "]:\n" + calls + "example.com/lib/store.(*DB)." + method +
			"(0x0?, 0xc000104000)\n\t/src/lib/store/db.go:60 +0x67\n" +
			"created by main.main in goroutine 1\n\t/src/shop/main.go:19 +0x67\n\n"
	}
	const (
		rows = "main.export.func1(0xc000104000)\n\t/src/shop/main.go:23 +0x46\n"
		read = "internal/poll.runtime_pollWait(0x7fe1d45d0400, 0x72)\n\t/usr/local/go/src/runtime/netpoll.go:351 +0x85\n" +
			"internal/poll.(*FD).Read(0xc000180000, {0xc000190000, 0x1000, 0x1000})\n\t/usr/local/go/src/internal/poll/fd_unix.go:165 +0x27a\n" +
			"net.(*conn).Read(0xc000012008, {0xc000190000, 0x1000, 0x1000})\n\t/usr/local/go/src/net/net.go:196 +0x45\n" +
			"main.importAll(0xc000106000)\n\t/src/shop/main.go:31 +0x46\n"
	)
	exporter := inStore("9", "chan send, 6 minutes", rows, "View")
	for _, test := range []struct {
		name, text string
		want       rules.Confidence
	}{
		{"an import goes on in the store", exporter + inStore("10", "IO wait", read, "Load") + writer("6 minutes"), rules.ConfLow},
		{"it came two minutes before", exporter + writer("4 minutes"), rules.ConfLow},
		// Near misses.
		{"it goes on in the call in which the writer waits", exporter + inStore("10", "IO wait", read, "Update") + writer("6 minutes"),
			rules.ConfMedium},
		{"nobody else is there", exporter + writer("6 minutes"), rules.ConfMedium},
		{"they have waited for five minutes", inStore("9", "chan send, 60 minutes", rows, "View") + writer("5 minutes"), likely},
	} {
		got := append(confidencesOf(wholeText+test.text), "")
		if got[0] != test.want {
			t.Errorf("%s: %q, want %s", test.name, got, test.want)
		}
	}
}
