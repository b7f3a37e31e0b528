package convert

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// maxWaits bounds the objects that a dump lists: those with the most waiters.
const maxWaits = 100

// waitsOf lists the objects that goroutines wait for, those of a blockage first.
func waitsOf(in *rules.DumpInput) []schema.Wait {
	all := []schema.Wait{}
	if in.Waits == nil {
		return all
	}
	type object struct {
		addr uint64
		kind waitgraph.Kind
	}
	told := map[object]bool{}
	for _, b := range in.Waits.Blockages {
		for _, l := range b.Links {
			if len(all) < maxWaits {
				all = append(all, waitOf(in, &l.Object, &l, b.Kind))
				told[object{l.Object.Addr, l.Object.Kind}] = true
			}
		}
	}
	for i := range in.Waits.Objects {
		o := &in.Waits.Objects[i]
		if len(all) < maxWaits && !told[object{o.Addr, o.Kind}] {
			all = append(all, waitOf(in, o, nil, ""))
		}
	}
	return all
}

func waitOf(in *rules.DumpInput, o *waitgraph.Object, l *waitgraph.Link, kind waitgraph.BlockKind) schema.Wait {
	w := schema.Wait{Kind: string(o.Kind), Waiters: o.Count, Holders: []schema.Holder{}}
	if o.Addr != 0 {
		w.Object = fmt.Sprintf("0x%x", o.Addr)
	}
	if l == nil || l.Holder.Strength < waitgraph.MinHolder {
		return w
	}
	g := waitgraph.GoroutineOf(in.Dump, l.Holder.Ref)
	w.Holders = append(w.Holders, schema.Holder{Goroutine: g.ID, Confidence: confidenceOf(l.Holder.Strength)})
	b := in.Buckets[l.Holder.Bucket]
	at := rules.BlameBucket(in, b).Culprit
	w.BlockedBy = fmt.Sprintf("%s at %s:%d, %s", frame.ShortFunc(at.Function), frame.ShortFile(at.File), at.Line,
		doing(b, kind))
	return w
}

// confidenceOf is how sure a candidate is: high where its call was printed with the object that the lock is in,
// medium in the code and of the object or family of the lock, low in the code that takes it.
func confidenceOf(s waitgraph.Strength) string {
	switch {
	case s >= waitgraph.StrengthSure:
		return string(rules.ConfHigh)
	case s >= waitgraph.StrengthObject:
		return string(rules.ConfMedium)
	}
	return string(rules.ConfLow)
}

// doing describes what the holder does meanwhile.
func doing(b *stackparse.Bucket, kind waitgraph.BlockKind) string {
	switch kind {
	case waitgraph.DoubleLock:
		return "which waits for it itself"
	case waitgraph.LockCycle:
		return "which waits for another of these locks"
	}
	return "in [" + strings.TrimSpace(string(b.Class)) + "]"
}
