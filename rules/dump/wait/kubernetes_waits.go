package wait

import (
	"slices"

	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// Thresholds of clientThrottled: client-go's default is 5 requests a second after a burst of 10, controller-runtime's
// 20 after 30. Ten waiters are two seconds of the first, a hundred are twenty (and five of the second).
const (
	fewThrottled  = 10
	manyThrottled = 100
)

// clientThrottled is client-throttled (TR433).
func clientThrottled(w *waiters) verdict {
	elects := slices.ContainsFunc(w.buckets, func(b *stackparse.Bucket) bool { return w.holds("leader-election", b) })
	switch {
	case w.since(sureMinutes) > 0, w.total >= manyThrottled && w.count >= fewThrottled:
		return guilty()
	case elects && w.total >= fewThrottled:
		return guilty().with(account.Values{"before": phrase.CountGoroutines(w.total - w.count)}, "elects")
	case w.count >= fewThrottled:
		return guilty().but(true, noAge)
	}
	return verdict{}
}
