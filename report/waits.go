package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// waits writes who blocks whom: locks, and whatever has a candidate for holding it. Channels, WaitGroups and Conds
// that several goroutines wait for are mostly idle workers; JSON and --all have them. A dump names no owner of a
// lock, so that a holder is a candidate.
func (v *view) waits() {
	var list []*schema.Wait
	dumps := map[string]int{} // of an object with its holders: dumps of one process repeat them
	for d := range pointers(v.r.Dumps) {
		for w := range pointers(d.Waits) {
			if !v.all && len(w.Holders) == 0 && !isLock(w.Kind) {
				continue
			}
			if dumps[waitKey(w)]++; dumps[waitKey(w)] == 1 {
				list = append(list, w)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	v.section("WHO BLOCKS WHOM", phrase.Count(len(list), "object")+" that goroutines wait for")
	shown := v.shown(len(list), waitRows)
	for _, w := range list[:shown] {
		n := dumps[waitKey(w)]
		v.hanging(strings.TrimSpace(w.Kind+" "+w.Object)+": "+
			phrase.Count(w.Waiters, "goroutine")+" wait"+given(w.Waiters == 1, "s")+
			behind("; candidate holder ", v.holders(w.Holders))+behind("; blocked by ", w.BlockedBy)+
			given(n > 1, "; so in "+phrase.Count(n, "dump")), 2, proseLines)
	}
	v.more(2, len(list)-shown, "object")
	if slices.ContainsFunc(v.r.Dumps, func(d schema.Dump) bool { return d.WaitsCut }) {
		v.line(plain("  not checked: there are too many locks to look at all of them"))
	}
}

func (v *view) holders(hs []schema.Holder) string {
	return v.some(len(hs), len(hs), shownIDs, func(i int) string {
		return "goroutine " + strconv.FormatUint(hs[i].Goroutine, 10) + " (confidence " + hs[i].Confidence + ")"
	})
}

// waitKey is equal for objects of which two dumps show the same.
func waitKey(w *schema.Wait) string {
	key := w.Kind + " " + w.Object + " " + w.BlockedBy + " " + strconv.Itoa(w.Waiters)
	for _, h := range w.Holders {
		key += " " + strconv.FormatUint(h.Goroutine, 10)
	}
	return key
}

func isLock(kind string) bool { return kind == "mutex" || kind == "rwmutex" || kind == "once" }
