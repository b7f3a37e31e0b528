package wait

import (
	"slices"
	"strconv"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// Thresholds on requests of which a server has read the head, and waits for more of a body whose length it knows. The
// healthy dumps of testdata and of the corpus have none of sureMinutes: what comes slowly moves with each packet, and a
// peer that is gone is dropped before (net.Listen asks for keep-alives each 15 s, 9 of them). Any client can say
// nothing, so that a few are doubtful, and a hundred, which is chosen, are not.
const (
	someSilent = pileUp
	manySilent = 100
	// minUnmoved is how many whose words are known must have got nothing. Of 300 slow uploads all had moved within a
	// minute, of 750 that were stuck one had not the words of a minute before.
	minUnmoved = 4
)

// bodiesAwaited is request-body-awaited (TR449).
func bodiesAwaited(w *waiters) verdict {
	n := w.since(sureMinutes)
	unmoved, apart := w.unmoved()
	moment := unmoved > n && !apart
	n = max(n, unmoved)
	return verdict{guilty: n >= someSilent}.but(moment, sameMoment).but(n < manySilent, silentFew).
		with(account.Values{"silent": strconv.Itoa(n)})
}

// unmoved counts those that another dump of the process shows in the same place, where none has minutes: with the same
// words, as far as they are known, in a call that fills one buffer, so that what came would have moved it. apart
// reports that the dumps' times are known, and a minute apart: in two seconds a slow device sends nothing either.
func (w *waiters) unmoved() (best int, apart bool) {
	if w.d.Process == "" || hasAges(w.d) {
		return 0, false
	}
	for _, other := range w.p.Dumps {
		if other.Process != w.d.Process || other.Dump == w.d.Dump || w.soonAfter(other) {
			continue
		}
		if n := w.unmovedSince(other); n > best {
			_, timed := w.d.Time()
			_, too := other.Time()
			best, apart = n, timed && too
		}
	}
	return best, apart
}

// soonAfter reports whether two dumps were made too shortly after each other to count as two.
func (w *waiters) soonAfter(other *rules.DumpInput) bool {
	at, ok := w.d.Time()
	then, too := other.Time()
	return ok && too && at.Sub(then).Abs() < minApart
}

func (w *waiters) unmovedSince(other *rules.DumpInput) int {
	n, known := 0, 0
	for _, b := range w.buckets {
		i := slices.IndexFunc(other.Buckets, func(o *stackparse.Bucket) bool { return o.Key == b.Key })
		if i < 0 || !fillsOneBuffer(b) {
			continue
		}
		same, moved := comparedWords(b, other.Buckets[i])
		if moved > same/minUnmoved {
			continue
		}
		known += same
		n += commonIDs(b.Goroutines, other.Buckets[i].Goroutines)
	}
	if known < minUnmoved {
		return 0
	}
	return n
}

// fillsOneBuffer reports whether a stack reads on into one buffer until that is full.
func fillsOneBuffer(b *stackparse.Bucket) bool {
	return slices.ContainsFunc([]string{"io.ReadAll", "io.ReadAtLeast", "encoding/json.(*Decoder).refill",
		"github.com/valyala/fasthttp.appendBodyFixedSize"}, func(fn string) bool { return hasFunction(b, fn) })
}

// comparedWords counts the goroutines of both buckets whose words are known in both, and are the same or not.
func comparedWords(a, b *stackparse.Bucket) (same, moved int) {
	words := map[uint64][]stackparse.Word{}
	for i := range a.Samples {
		words[a.Goroutines[a.Samples[i].Index].ID] = a.Samples[i].Words
	}
	for i := range b.Samples {
		before, ok := words[b.Goroutines[b.Samples[i].Index].ID]
		switch {
		case !ok:
		case slices.Equal(before, b.Samples[i].Words):
			same++
		default:
			moved++
		}
	}
	return same, moved
}
