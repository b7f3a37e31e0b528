package wait

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// kubernetesRules are the rules about controllers, informers and clients of the API server.
func kubernetesRules(c *calls) []*rules.Rule {
	return []*rules.Rule{workersBusy(c), informerBlocked(c), clientThrottled(c), webhookOutlives(c)}
}

// workersBusy is workqueue-workers-busy (TR431).
func workersBusy(c *calls) *rules.Rule {
	return dumpRule("TR431", "workqueue-workers-busy", rules.Contention, rules.Medium, dumpRun(c, func(s *dumpIndex) []rules.Finding {
		var found []rules.Finding
		for _, q := range s.queues() {
			if ch := q.judge(); ch.severity != "" {
				found = append(found, q.finding(ch))
			}
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

func (q *queue) judge() account {
	ch := account{
		level: level{rules.Low, rules.ConfLow},
		act: fmt.Sprintf("keeps all %s of its work queue busy for %s", phrase.Plural(q.count, "worker"),
			phrase.CountMinutes(q.minutes)),
		why: fmt.Sprintf("All %s of the queue stand in %s for %s or longer, and none is left to take the next item: "+
			"what is added to the queue is not done.",
			phrase.Plural(q.count, "worker"), q.in(), phrase.CountMinutes(q.minutes)),
		fix: fmt.Sprintf("Give what %s waits for a deadline, or return and requeue instead of waiting; more workers "+
			"only help where the wait has an end.", q.in()),
		next: append([]rules.Step{q.d.Target.Logs()}, secondDump(q.d.Target)...),
	}
	switch {
	case q.minutes < longMinutes:
		return account{}
	case q.minutes >= veryLongMinutes:
		ch.level = level{rules.Medium, rules.ConfMedium}
	case q.count > 1:
		ch.severity = rules.Medium
	}
	return ch
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
	switch frame.ParseName(b.Frames[above].Func).Func {
	case "Get", "GetWithPriority", "Pop", "Next", "Dequeue", "Take", "Receive":
		return true
	}
	return d.Program.Class(b.Frames[above].Frame) == frame.ClassStdlib &&
		frame.PackageOf(b.Frames[above].Func) == "sync"
}

// informerBlocked is informer-handler-blocked (TR432).
func informerBlocked(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		Frames: match.FramesMatch{Any: []string{
			"k8s.io/client-go/tools/cache.(*processorListener).run",
			"k8s.io/client-go/tools/cache.(*controller).processLoop",
			"k8s.io/client-go/tools/cache.processDeltas", "k8s.io/client-go/tools/cache.processDeltasInBatch",
		}},
		Class: waitClasses(),
	})
	return c.rule("TR432", "informer-handler-blocked", rules.Deadlock, rules.High, waiting, func(w *waiters) account {
		if !w.calledBy(waiting) {
			return account{}
		}
		return judgeHandler(w, "an informer's event handler", "no further event reaches this listener, and "+
			"those that come are kept in memory",
			w.fill("Let the handler only add a key to a work queue (its Add does not block) and do in a worker what {in} "+
				"does."))
	})
}

// judgeHandler weighs code that a single-threaded loop calls back and that waits: role identifies who calls, effect
// what stops meanwhile.
func judgeHandler(w *waiters, role, effect, fix string) account {
	if _, own := w.caller(w.buckets[0]); !own || w.d.RoleOf(w.indexes[0]) != nil {
		return account{}
	}
	ch := account{
		act: fmt.Sprintf("blocks %s in a %s%s", role, waitNoun(w.buckets[0].Class), w.span()),
		why: fmt.Sprintf("%s in %s%s, called by the one goroutine that serves it: until it returns, %s.", w.waits(),
			w.in(), w.span(), effect),
		fix: fix, next: secondDump(w.d.Target),
	}
	long := w.since(sureMinutes) > 0
	switch w.buckets[0].Class {
	case stackparse.ClassNilChan, stackparse.ClassNoCases:
		ch.level = level{rules.High, rules.ConfHigh}
	case stackparse.ClassChanSend, stackparse.ClassChanReceive, stackparse.ClassSelect, stackparse.ClassWaitGroup,
		stackparse.ClassCond, stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW,
		stackparse.ClassSemaphore:
		if long {
			ch.level = level{rules.High, rules.ConfMedium}
		} else if w.buckets[0].Class == stackparse.ClassChanSend {
			ch.level = level{rules.Low, rules.ConfLow}
		}
	default:
		if long {
			ch.severity, ch.confidence, ch.category = rules.Medium, rules.ConfMedium, rules.Contention
		}
	}
	return ch
}

// waitNoun names what a goroutine of a class waits in: "chan send", "mutex", "call".
func waitNoun(c stackparse.Class) string {
	switch c {
	case stackparse.ClassIO, stackparse.ClassSyscall:
		return "call"
	case stackparse.ClassNilChan:
		return "operation on a nil channel"
	case stackparse.ClassNoCases:
		return "select without cases"
	case stackparse.ClassChanSend:
		return "channel send"
	case stackparse.ClassChanReceive:
		return "channel receive"
	}
	return string(c)
}

// Thresholds of clientThrottled: client-go's default is 5 requests a second after a burst of 10, controller-runtime's
// 20 after 30. Ten waiters are two seconds of the first, a hundred are twenty (and five of the second).
const (
	fewThrottled  = 10
	manyThrottled = 100
)

// clientThrottled is client-throttled (TR433).
func clientThrottled(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At: []string{
			"k8s.io/client-go/util/flowcontrol.(*tokenBucketRateLimiter).*",
			"k8s.io/client-go/util/flowcontrol.(*tokenBucketPassiveRateLimiter).*",
			"k8s.io/client-go/rest.(*Request).tryThrottle", "k8s.io/client-go/rest.(*Request).tryThrottleWithInfo",
		},
		Through: []string{"golang.org/x/time/rate.*", "k8s.io/client-go/util/flowcontrol.*"},
		// The limiter is used for other things too.
		Frames: match.FramesMatch{Any: []string{"k8s.io/client-go/rest.(*Request).*"}},
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassSleep, stackparse.ClassMutex,
			stackparse.ClassChanReceive},
	})
	leader := c.compile(onStack("k8s.io/client-go/tools/leaderelection.(*LeaderElector).*"))
	return c.rule("TR433", "client-throttled", rules.Contention, rules.Medium, waiting, func(w *waiters) account {
		n := w.total
		elects := slices.ContainsFunc(w.buckets, func(b *stackparse.Bucket) bool { return w.holds(leader, b) })
		ch := account{
			act: w.fill("is throttled by client-go: {count}{span}"),
			why: fmt.Sprintf("%s for the client's rate limiter below %s%s; %d goroutines stand there in all. "+
				"The limiter is rest.Config's QPS and Burst.", w.waits(), w.in(), w.span(), n),
			fix: w.fill("Let {in} read from an informer's cache and write only what changed; raise rest.Config.QPS " +
				"and Burst if the requests are needed."),
			next: []rules.Step{w.d.Target.Logs().With("| grep -i 'client-side throttling'")},
		}
		switch {
		case w.since(sureMinutes) > 0, n >= manyThrottled && w.count >= fewThrottled:
			ch.level = level{rules.Medium, rules.ConfMedium}
		case elects && n >= fewThrottled:
			ch.level = level{rules.Medium, rules.ConfMedium}
			ch.act = fmt.Sprintf("renews its lease behind client-go's rate limiter: %s before it",
				phrase.CountGoroutines(n-w.count))
			ch.fix = "Give the leader election a client of its own (a copy of rest.Config, without a shared " +
				"RateLimiter): a lease that is not renewed in time ends the process."
		case w.count >= fewThrottled:
			ch.level = level{rules.Low, rules.ConfLow}
		}
		return ch
	})
}

// webhookOutlives is webhook-outlives-caller (TR434).
func webhookOutlives(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		Frames: match.FramesMatch{Any: []string{
			"sigs.k8s.io/controller-runtime/pkg/webhook/admission.(*Webhook).Handle",
			"sigs.k8s.io/controller-runtime/pkg/webhook/admission.(*Webhook).ServeHTTP",
			"sigs.k8s.io/controller-runtime/pkg/webhook/conversion.(*webhook).ServeHTTP",
		}},
		Class: waitClasses(),
	})
	return c.rule("TR434", "webhook-outlives-caller", rules.Leak, rules.Medium, waiting, func(w *waiters) account {
		if _, own := w.caller(w.buckets[0]); !own || !w.calledBy(waiting) || w.since(sureMinutes) == 0 {
			return account{}
		}
		ch := account{
			level: level{rules.Low, rules.ConfMedium},
			act:   w.fill("holds up a webhook: {count}{span}"),
			why: w.fill("{waits} in {in} below a webhook's handler{span}. The API server gave up after 30 s at the " +
				"latest: nobody waits for the answer any more."),
			fix: w.fill("Pass the webhook request's context on to what {in} waits for, so that it ends with " +
				"its caller."),
			next: append([]rules.Step{w.d.Target.Logs()}, secondDump(w.d.Target)...),
		}
		// One may be an accident of the network. Several at the same line are the webhook's state.
		if w.since(sureMinutes) > 1 {
			ch.severity = rules.Medium
		}
		return ch
	})
}
