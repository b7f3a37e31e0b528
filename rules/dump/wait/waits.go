package wait

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// waitsAsked reports whether a dump's waits show what is wrong: someone asked for it, or a test did not end. A
// process that died of something else was stopped in the middle of things.
func waitsAsked(d *rules.DumpInput) bool {
	return d.Waits != nil && rules.Asked(d)
}

func dumpsWithWaits(p *rules.Pass) []*rules.DumpInput {
	return slices.DeleteFunc(p.AskedDumps(), func(d *rules.DumpInput) bool { return d.Waits == nil })
}

// goroutineAt is the evidence of one goroutine.
func goroutineAt(d *rules.DumpInput, r waitgraph.Ref, text string) rules.Evidence {
	b := d.Buckets[r.Bucket]
	e := rules.EvidenceOfGoroutines(d, b.Goroutines[r.Member:r.Member+1], "")
	e.Text += text
	return e
}

// idOf names a goroutine: "goroutine 17".
func idOf(d *rules.DumpInput, r waitgraph.Ref) string {
	return fmt.Sprintf("goroutine %d", waitgraph.GoroutineOf(d.Dump, r).ID)
}

// subject names a goroutine at the beginning of a sentence: "Goroutine 17".
func subject(d *rules.DumpInput, r waitgraph.Ref) string { return "G" + idOf(d, r)[1:] }

// culpritLine is the line that a bucket is blamed for.
func culpritLine(d *rules.DumpInput, bucket int) rules.Place {
	return rules.BlameBucket(d, d.Buckets[bucket]).Culprit
}

// callAt is the line of one of a bucket's calls; the line that the bucket is blamed for where frame is -1.
func callAt(d *rules.DumpInput, bucket, frame int) rules.Place {
	if frame < 0 {
		return culpritLine(d, bucket)
	}
	return rules.PlaceOf(d.Buckets[bucket].Frames[frame].Frame)
}

// spot is a place that was named before: "board.go:29".
func spot(p rules.Place) string {
	if p.File == "" {
		return rules.PlaceText(p)
	}
	return rules.PlaceLine(p)
}

// objectName names what goroutines wait for: "the mutex at 0xc000012048", "an RWMutex" where no address is reported.
func objectName(o *waitgraph.Object) string {
	kind, article := string(o.Kind), "a "
	switch o.Kind {
	case waitgraph.RWMutex:
		kind, article = "RWMutex", "an "
	case waitgraph.Once:
		kind = "sync.Once"
	}
	if o.Addr == 0 {
		return article + kind
	}
	return fmt.Sprintf("the %s at 0x%x", kind, o.Addr)
}

// waiterEvidence are the goroutines that wait for an object, one piece a stack, without those that have their own
// evidence: one of those names the object.
func waiterEvidence(d *rules.DumpInput, o *waitgraph.Object, known ...waitgraph.Ref) []rules.Evidence {
	var all []rules.Evidence
	for _, w := range o.Waiters[:min(len(o.Waiters), maxWaiterRows)] {
		b := d.Buckets[w.Bucket]
		var gs []stackparse.Goroutine
		for _, m := range w.Members {
			if !slices.Contains(known, waitgraph.Ref{Bucket: w.Bucket, Member: m}) {
				gs = append(gs, b.Goroutines[m])
			}
		}
		if len(gs) == 0 {
			continue
		}
		e := rules.EvidenceOfGoroutines(d, gs, "")
		e.Count = w.Count - (len(w.Members) - len(gs))
		e.Text = fmt.Sprintf("%s for the lock in %s", waitsVerb(e.Count), rules.PlaceText(culpritLine(d, w.Bucket)))
		all = append(all, e)
	}
	return all
}

// maxWaiterRows is how many stacks of waiters a finding lists. Chosen: the first show where the lock is taken.
const maxWaiterRows = 5

func waitsVerb(n int) string { return phrase.CountGoroutines(n) + verb(n, " waits", " wait") }

// classActs are what goroutines of a class do: "waits to send on a channel".
var classActs = map[stackparse.Class]string{stackparse.ClassChanSend: "waits to send on a channel",
	stackparse.ClassChanReceive: "waits to receive from a channel", stackparse.ClassSelect: "waits in a select",
	stackparse.ClassNilChan: "waits on a nil channel for ever", stackparse.ClassNoCases: "stands in an empty " +
		"select for ever", stackparse.ClassWaitGroup: "waits for a WaitGroup", stackparse.ClassCond: "waits for " +
		"a signal (sync.Cond)", stackparse.ClassIO: "waits for the network",
	stackparse.ClassSyscall: "is in a system call", stackparse.ClassCgo: "is in C code",
	stackparse.ClassSleep: "sleeps", stackparse.ClassMutex: "waits for another lock",
	stackparse.ClassRWMutexR: "waits for another lock", stackparse.ClassRWMutexW: "waits for another lock",
	stackparse.ClassSemaphore: "waits for a semaphore"}

func classAct(c stackparse.Class) string { return cmp.Or(classActs[c], "works") }
