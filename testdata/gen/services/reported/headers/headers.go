// Package headers follows the heads of chains for wallets.
package headers

import (
	"time"

	"example.com/services/kit"
	"example.net/lib/resub"
)

type wallet struct{ sub *resub.Sub }

func (w *wallet) leave() { w.sub.Unsubscribe() }

func Main(fixed bool) {
	kit.Start()
	feed := func() bool { return false }
	if fixed {
		feed = func() bool { time.Sleep(4 * time.Second); return true }
	}
	for n := 0; ; n++ {
		w := &wallet{resub.Start(feed)}
		time.Sleep(800 * time.Millisecond)
		if n < 7 || fixed {
			go w.leave()
		}
	}
}
