package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// workersBusy is workqueue-workers-busy (TR431).
func workersBusy(c *calls) *rules.Rule {
	const name = "workqueue-workers-busy"
	return dumpRule("TR431", name, rules.Contention, rules.Medium, dumpRun(c, func(s *dumpIndex) []rules.Finding {
		var found []rules.Finding
		for _, q := range s.queues() {
			found = append(found, q.findings("workqueue-workers-busy", q.judge())...)
		}
		return found
	}))
}

// A queue is the workers of one work queue.
type queue struct {
	waiters
	free  bool // one of them waits for an item, or computes
	apart bool // they are in different functions
}

// queues groups the workers of a dump by queue. What is reported under one culprit and creator is one queue: that of
// the most workers.
func (s *dumpIndex) queues() []*queue {
	type key struct {
		creator string
		line    int
		parent  uint64
	}
	byKey := map[key]*queue{}
	var all []*queue
	for i, b := range s.d.Buckets {
		at := workerFrame(b)
		if at < 0 {
			continue
		}
		bl, own := s.caller(b)
		busy := own && bl.Index >= 0 && bl.Index < at && !takesItem(s.d, i, b, at) && slices.Contains(waitClasses(),
			b.Class)
		for g := range b.Goroutines {
			k := key{parent: b.Goroutines[g].Parent}
			if b.CreatedBy != nil {
				k.creator, k.line = b.CreatedBy.Func, b.CreatedBy.Line
			}
			q := byKey[k]
			if q == nil {
				q = &queue{waiters: waiters{dumpIndex: s, blame: bl}}
				byKey[k] = q
				all = append(all, q)
			}
			q.add(b, &b.Goroutines[g], bl, busy)
		}
	}
	return distinct(all)
}

// add counts one worker in.
func (q *queue) add(b *stackparse.Bucket, g *stackparse.Goroutine, bl rules.Blame, busy bool) {
	q.count++
	q.free = q.free || !busy || stackparse.Runnable(q.d.StateOf(g))
	q.apart = q.apart || bl.Culprit.Function != q.blame.Culprit.Function
	if n := len(q.buckets); n == 0 || q.buckets[n-1] != b {
		q.buckets = append(q.buckets, b)
	}
	if q.count == 1 || g.Minutes < q.minutes {
		q.minutes = g.Minutes // the shortest wait: all of them wait for that long
	}
}

// distinct drops queues that would make the same finding as an earlier one: reconcilers of one function.
func distinct(all []*queue) []*queue {
	best := map[string]*queue{}
	for _, q := range all {
		if q.free || q.apart {
			continue
		}
		k := rules.Fingerprint("", q.blame.Culprit, q.blame.Creator)
		if o := best[k]; o == nil || q.minutes > o.minutes {
			best[k] = q
		}
	}
	return slices.DeleteFunc(all, func(q *queue) bool {
		return best[rules.Fingerprint("", q.blame.Culprit, q.blame.Creator)] != q
	})
}

func (q *queue) judge() verdict {
	if q.minutes < longMinutes {
		return verdict{}
	}
	return guilty().but(q.minutes < veryLongMinutes && q.count == 1, oneWorker).with(account.Values{
		"workers": phrase.Plural(q.count, "worker"), "minutes": phrase.CountMinutes(q.minutes)})
}

// workerFrame is the index of the frame in which a worker takes items from its queue, -1 where the stack is no
// worker's.
func workerFrame(b *stackparse.Bucket) int {
	for _, i := range rules.ShownFrames(b) {
		if strings.Contains(b.Frames[i].Func, ".processNext") {
			return i
		}
	}
	return -1
}

// takesItem reports whether a worker waits for its next item: it has the role of one, or what the loop called is the
// queue's Get, by whatever name.
func takesItem(d *rules.DumpInput, index int, b *stackparse.Bucket, at int) bool {
	if r := d.RoleOf(index); r != nil && r.Idle {
		return true
	}
	above := -1 // the frame that the loop called
	for _, i := range rules.ShownFrames(b) {
		if i >= at {
			break
		}
		above = i
	}
	if above < 0 {
		return true // it waits in the loop itself
	}
	switch symbol.ParseName(b.Frames[above].Func).Func {
	case "Get", "GetWithPriority", "Pop", "Next", "Dequeue", "Take", "Receive":
		return true
	}
	return d.Program.Class(b.Frames[above].Frame) == frame.ClassStdlib &&
		symbol.PackageOf(b.Frames[above].Func) == "sync"
}

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

// webhookOutlives is webhook-outlives-caller (TR434).
func webhookOutlives(w *waiters) verdict {
	n := w.since(sureMinutes)
	if _, own := w.caller(w.buckets[0]); !own || !w.calledBy("webhook-outlives-caller") || n == 0 {
		return verdict{}
	}
	return guilty().but(n == 1, fewCalls) // several at the same line are the webhook's state
}
