package wait

import (
	"testing"

	"github.com/gotriage/triage/rules"
)

// A goroutine may lock, and another one unlock: a transaction, a lease, a lock by key.
func TestALockThatMayHaveBeenHandedOverIsNoStrongAccusation(t *testing.T) {
	const update = lockTill + `example.com/shop/store.(*Store).beginWrite(0xc000122018)
	/src/shop/store/store.go:34 +0x54
example.com/shop/store.(*Store).Update(0xc000122018)
	/src/shop/store/store.go:21 +0x54
created by main.main in goroutine 1
	/src/shop/main.go:44 +0x67
`
	waiter := crowdOf(1, "sync.Mutex.Lock, 6 minutes", update)
	other := func(state, calls string) string {
		return "goroutine 7 [" + state + "]:\n" + calls + "created by main.main in goroutine 1\n\t/src/shop/main.go:31 +0x47\n\n"
	}
	const (
		sleep   = "time.Sleep(0x1dcd6500)\n\t/usr/local/go/src/runtime/time.go:363 +0x165\n"
		commits = "example.com/shop/store.commitLater()\n\t/src/shop/store/tx.go:9 +0x54\n"
		session = "example.com/shop/store.session()\n\t/src/shop/store/session.go:9 +0x54\n"
		foreign = "example.com/shop/mail.poll()\n\t/src/shop/mail/mail.go:9 +0x54\n"
		calls   = "example.com/shop/mail.Run()\n\t/src/shop/mail/mail.go:4 +0x54\n"
	)
	for _, test := range []struct {
		name, text string
		want       rules.Confidence
	}{
		{"it sleeps in the package, as long as the other waits", other("sleep, 6 minutes", sleep+commits) + waiter, rules.ConfLow},
		{"it sleeps there in a call, since lately", other("sleep", sleep+commits+session) + waiter, rules.ConfLow},
		{"it waits there for something", other("select, 6 minutes", session) + waiter, rules.ConfLow},
		{"it may rest between two rounds", other("sleep", sleep+commits) + waiter, rules.ConfLow},
		{"it sleeps elsewhere, as long", other("sleep, 6 minutes", sleep+foreign+calls) + waiter, rules.ConfLow},
		{"several came the same way, not long ago", crowdOf(2, "sync.Mutex.Lock, 3 minutes", update), rules.ConfLow},
		// Near misses: an outer call works on the lock's object, and nobody else may have the lock.
		{"nobody else is there", waiter, rules.ConfMedium},
		{"one came not long ago", crowdOf(1, "sync.Mutex.Lock, 3 minutes", update), rules.ConfMedium},
		{"several came the same way", crowdOf(2, "sync.Mutex.Lock, 6 minutes", update), likely},
		{"it came elsewhere lately", other("sleep", sleep+foreign+calls) + waiter, rules.ConfMedium},
		{"its loop came round", other("select", session) + waiter, rules.ConfMedium},
		{"it waits for the lock too", other("sync.Mutex.Lock, 6 minutes", lockTill+commits) + waiter, rules.ConfMedium},
	} {
		got := append(confidencesOf(wholeText+test.text), "")
		if got[0] != test.want {
			t.Errorf("%s: %s, want %s", test.name, got[0], test.want)
		}
	}
}
