package wait

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// TestAFixAsksForNoChangeOfALibrary reads the fixes of locks that one stack takes twice.
func TestAFixAsksForNoChangeOfALibrary(t *testing.T) {
	const lock = "2 [sync.Mutex.Lock, 5 minutes]: internal/sync.runtime_SemacquireMutex{0xc000122018} " +
		"internal/sync.(*Mutex).lockSlow{0xc000122018} sync.(*Mutex).Lock{...} "
	for _, tt := range []struct{ claim, notes, want, not string }{
		{"the program calls a library from inside its call",
			lock + "lib.(*DB).lock{0xc000122010} lib.(*DB).Update{0xc000122010} main.save main.each lib.(*DB).View{0xc000122010} main.visit",
			"Don't call lib.(*DB).Update from main.save", "Release the lock"},
		{"a library takes its lock twice",
			lock + "lib.(*DB).lock{0xc000122010} lib.(*DB).Update{0xc000122010} main.save",
			"end what your code has started in the library before it reaches main.save (main.go:15)", "Release the lock"},
		{"a goroutine of the library's own",
			lock + "lib.(*DB).lock{0xc000122010} lib.(*DB).flush{0xc000122010} <lib.New",
			"Look for a release of example.com/lib in which this is fixed.", "Release the lock"},
		// Near misses: what the reader can change.
		{"a callback of the program's",
			lock + "lib.(*DB).Stop{0xc000122010} main.fired lib.(*DB).run{0xc000122010} main.play",
			"Don't call (*DB).Stop from main.fired", "release of"},
		{"a lock of the program's",
			lock + "shop.(*DB).lock{0xc000122010} shop.(*DB).Update{0xc000122010} main.save", "Release the lock at shop.go:14", "release of"},
	} {
		d := listed(t, tt.notes+"\n1 [select, 5 minutes]: main.main\n")
		got := ""
		for _, f := range rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{d}}) {
			if f.Name == "double-lock" {
				got += f.Fix
			}
		}
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("%s: %q, want %q without %q", tt.claim, got, tt.want, tt.not)
		}
	}
}
