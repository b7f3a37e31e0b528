package coded

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

// checkRefuted checks cases whose finding is about the goroutines 6 to 8 of the dump: want is the confidence that is left.
func checkRefuted(t *testing.T, rule string, cases []lockCase) {
	t.Helper()
	for _, c := range cases {
		found := []rules.Finding{{Rule: rule, Severity: rules.High, Confidence: rules.ConfHigh, Why: "Why.", Fix: "Unlock twice.",
			Evidence: []rules.Evidence{{Input: "dump.txt", Goroutines: []uint64{6, 7, 8}}}}}
		Refute(found, passOf(t, c, false))
		if got := string(found[0].Confidence); got != c.want || (got == "low") != (len(found[0].Against) > 0) {
			t.Errorf("%s: %s, want %s: %s", c.name, got, c.want, found[0].Why)
		}
		// What is left of a refuted finding is a wait: its fix is about that.
		if fix := found[0].Fix; (c.want == "low") == (fix == "Unlock twice.") || fix == "" {
			t.Errorf("%s: confidence %s with the fix %q", c.name, c.want, fix)
		}
	}
}

const (
	get   = "func (t *T) get() int {\n\tt.mu.Lock() // get\n\tn := t.n\n\tt.mu.Unlock()\n\treturn n\n}\n"
	read  = "func (t *T) read() int {\n\tt.rw.RLock() // read\n\tdefer t.rw.RUnlock()\n\treturn t.n\n}\n"
	set   = "func (t *T) set() {\n\tt.rw.Lock() // set\n\tdefer t.rw.Unlock()\n\tt.n++\n}\n"
	sleep = "func sleep(c chan int) {\n\t<-c // sleep\n}\n"
)

func TestADoubleLockIsRefutedByWhoReleasesTheLock(t *testing.T) {
	const waits = "7 [sync.Mutex.Lock]: get twice\n9 [chan receive]: sleep free\n"
	twice := get + sleep + "func (t *T) twice() {\n\tt.mu.Lock()\n\tt.get() // twice\n}\n"
	checkRefuted(t, "TR406", []lockCase{
		{"another goroutine unlocks", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n\tt.mu.Unlock()\n}\n", waits, "low"},
		{"where it returns", twice + "func (t *T) free() {\n\tdefer t.mu.Unlock()\n\tsleep(t.done) // free\n}\n", waits, "low"},
		{"another goroutine, which the finding shows, unlocks", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n\tt.mu.Unlock()\n}\n",
			strings.Replace(waits, "9 [", "8 [", 1), "low"},
		// Near misses: the finding stays.
		{"it has unlocked already", twice + "func (t *T) free() {\n\tt.mu.Unlock()\n\tsleep(t.done) // free\n}\n", waits, "high"},
		{"it unlocks another lock", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n\tt.other.Unlock()\n}\n", waits, "high"},
		{"it unlocks what it takes", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n\tt.mu.Lock()\n\tt.mu.Unlock()\n}\n",
			waits, "high"},
		{"nobody is there", twice, "7 [sync.Mutex.Lock]: get twice\n", "high"},
		{"it unlocks another object", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n\tt.mu.Unlock()\n}\n",
			"7 [sync.Mutex.Lock]: get=0xc000010 twice=0xc000010\n9 [chan receive]: sleep free=0xc000020\n", "high"},
		{"it unlocks another object in a call that was compiled into its caller", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n" +
			"\tt.mu.Unlock()\n}\nfunc (t *T) serve() {\n\tt.free() // serve\n}\n",
			"7 [sync.Mutex.Lock]: get=... twice=0xc000010\n9 [chan receive]: sleep free=... serve=0xc000020\n", "high"},
		{"it unlocks another object than that which begins with the lock", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n" +
			"\tt.mu.Unlock()\n}\n", "7 [addressed]: get=0x0? twice=0x3b9aca00?\n9 [chan receive]: sleep free=0xc000020\n", "high"},
		{"it unlocks the object that begins with the lock", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n" +
			"\tt.mu.Unlock()\n}\n", "7 [addressed]: get=0x0? twice=0x3b9aca00?\n9 [chan receive]: sleep free=0xc000010\n", "low"},
		{"it unlocks this object", twice + "func (t *T) free() {\n\tsleep(t.done) // free\n\tt.mu.Unlock()\n}\n",
			"7 [sync.Mutex.Lock]: get=0xc000010 twice=0xc000010\n9 [chan receive]: sleep free=0xc000010\n", "low"},
	})
}

func TestADoubleLockIsRefutedByWhoHasThisVeryLock(t *testing.T) {
	const calls = "7 [sync.Mutex.Lock]: get=0xc000010 report=0xc000010\n"
	report := get + sleep + "func (t *T) report() {\n\tdefer t.get() // report\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n}\n" +
		"func (t *T) audit() {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\tsleep(t.done) // audit\n}\n"
	checkRefuted(t, "TR406", []lockCase{
		{"of this object", report, calls + "9 [sleep]: sleep audit=0xc000010\n", "low"},
		// Near misses: the finding stays.
		{"of another object", report, calls + "9 [sleep]: sleep audit=0xc000020\n", "high"},
		{"of an object that the dump doesn't print for sure", report, calls + "9 [sleep]: sleep audit=0xc000010?\n", "high"},
		{"who waits himself", report, calls + "9 [chan receive]: sleep audit=0xc000010\n", "high"},
		{"who has unlocked it", strings.Replace(report, "\tdefer t.mu.Unlock()\n\tsleep", "\tt.mu.Unlock()\n\tsleep", 1),
			calls + "9 [sleep]: sleep audit=0xc000010\n", "high"},
		{"another lock of it", strings.Replace(report, "audit() {\n\tt.mu.Lock()\n\tdefer t.mu.", "audit() {\n\tt.other.Lock()\n\tdefer t.other.", 1),
			calls + "9 [sleep]: sleep audit=0xc000010\n", "high"},
	})
}

func TestAReaderThatHasNoLockIsNotAccusedWhereAnotherHasIt(t *testing.T) {
	const waits = "7 [sync.RWMutex.RLock]: read\n8 [sync.RWMutex.Lock]: set\n9 [sleep]: sleep slow\n"
	slow := "func (t *T) slow() {\n\tt.rw.RLock()\n\tdefer t.rw.RUnlock()\n\tsleep(t.done) // slow\n}\n" + sleep
	outer := "func (t *T) outer() {\n\tt.rw.RLock()\n\tt.read() // outer\n\tt.rw.RUnlock()\n}\n"
	checkRefuted(t, "TR408", []lockCase{
		{"another reader has it", read + set + slow, waits, "low"},
		// Near misses: the finding stays.
		{"the reader has it itself", read + set + slow + outer,
			"7 [sync.RWMutex.RLock]: read outer\n8 [sync.RWMutex.Lock]: set\n9 [sleep]: sleep slow\n", "high"},
		{"nobody else has it", read + set + slow, waits[:len(waits)-len("9 [sleep]: sleep slow\n")], "high"},
		{"the other one waits itself", read + set + slow, strings.Replace(waits, "[sleep]", "[chan receive]", 1), "high"},
		{"the other one may have released it", read + set + sleep + "func (t *T) slow() {\n\tt.rw.RLock()\n\tif t.n > 0 {\n\t\tt.rw.RUnlock()\n" +
			"\t\tsleep(t.done) // slow\n\t\treturn\n\t}\n\tt.rw.RUnlock()\n}\n", waits, "high"},
		{"its lock is given away", read + set + slow + "func give(f func(*sync.RWMutex), t *T) {\n\tf(&t.rw)\n}\n", waits, "high"},
	})
}

func TestWhoHoldsNoLockIsNoPartOfACircle(t *testing.T) {
	const (
		waits = "7 [sync.Mutex.Lock]: look\n8 [sync.Mutex.Lock]: get\n"
		other = "8 [sync.Mutex.Lock]: get ab\n"
		ab    = "func (t *T) ab() {\n\tt.other.Lock()\n\tt.get() // ab\n\tt.other.Unlock()\n}\n"
	)
	look := "func look(m *sync.Mutex) {\n\tm.Lock() // look\n\tm.Unlock()\n}\n"
	checkRefuted(t, "TR407", []lockCase{
		{"a function that takes one lock", look + get, waits, "low"},
		// Near misses: the finding stays.
		{"both have one", ab + get + "func (t *T) ba() {\n\tt.mu.Lock()\n\tt.other.Lock() // ba\n\tt.other.Unlock()\n\tt.mu.Unlock()\n}\n",
			"7 [sync.Mutex.Lock]: ba\n" + other, "high"},
		{"both have one, and a third one waits", ab + get + sleep + "func (t *T) ba() {\n\tt.mu.Lock()\n\tt.look() // ba\n\tt.mu.Unlock()\n}\n" +
			"func (t *T) look() {\n\tt.other.Lock() // look\n\tt.other.Unlock()\n}\nfunc (t *T) third() {\n\tt.other.Lock() // third\n" +
			"\tt.other.Unlock()\n}\n", "7 [sync.Mutex.Lock]: look ba\n" + other + "6 [sync.Mutex.Lock]: third\n", "high"},
		{"it was handed one", ab + get + "func (t *T) ba() {\n\tt.other.Lock() // ba\n\tt.other.Unlock()\n\tt.mu.Unlock()\n}\n",
			"7 [sync.Mutex.Lock]: ba\n" + other, "high"},
		{"code of another package may have locked it", ab + get + "func (t *T) ba(take func()) {\n\ttake()\n\tt.other.Lock() // ba\n\tt.other.Unlock()\n}\n",
			"7 [sync.Mutex.Lock]: ba\n" + other, "high"},
	})
}

func TestTheFixOfARefutedFindingFitsWhatIsLeftOfIt(t *testing.T) {
	for by, want := range map[string]string{"releases": "waits for", "has it": "busy with", "no lock": "has one of these locks"} {
		f := rules.Finding{Title: "T.get locks what it holds", Fix: "Unlock before that call.", Culprit: rules.Place{Function: "shop.(*T).get"}}
		refutation{by, rules.Place{Function: "shop.(*T).audit", File: "shop/audit.go", Line: 7}}.apply(&f)
		if !strings.Contains(f.Fix, want) || strings.Contains(f.Fix, "{") || !strings.Contains(f.Title, "waits for a lock") {
			t.Errorf("%s: %q, %q", by, f.Title, f.Fix)
		}
	}
}

// A method that calls out may have unlocked before.
func TestAHolderThatHasNotTheLockIsNotAccused(t *testing.T) {
	const (
		waits  = "7 [chan receive]: sleep watch\n8 [sync.Mutex.Lock]: get\n"
		locked = "func (t *T) watch() {\n\tt.mu.Lock()\n\tsleep(t.done) // watch\n\tt.mu.Unlock()\n}\n"
	)
	checkRefuted(t, "TR409", []lockCase{
		{"it has unlocked", get + sleep + "func (t *T) watch() {\n\tt.mu.Lock()\n\tt.mu.Unlock()\n\tsleep(t.done) // watch\n}\n", waits, "low"},
		{"it has another lock", get + sleep + strings.ReplaceAll(locked, "t.mu", "t.other"), waits, "low"},
		// Near misses.
		{"it has the lock", get + sleep + locked, waits, "high"},
		{"a call that has returned left it the lock", get + sleep + "func (t *T) begin() { t.mu.Lock() }\n" +
			"func (t *T) watch() {\n\tt.begin()\n\tsleep(t.done) // watch\n}\n", waits, "high"},
		{"it may have the lock", get + sleep + "func (t *T) watch() {\n\tif t.n > 0 {\n\t\tt.mu.Lock()\n\t}\n\tsleep(t.done) // watch\n}\n",
			waits, "high"},
	})
}
