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
	for i := range v.r.Dumps {
		for j := range v.r.Dumps[i].Waits {
			w := &v.r.Dumps[i].Waits[j]
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
	for i, w := range list {
		if i == waitRows && !v.all {
			v.more(2, len(list)-i, "object")
			break
		}
		text := strings.TrimSpace(w.Kind+" "+w.Object) + ": " + phrase.Count(w.Waiters, "goroutine") + " wait"
		if w.Waiters == 1 {
			text += "s"
		}
		if len(w.Holders) > 0 {
			text += "; candidate holder " + v.holders(w.Holders)
		}
		if w.BlockedBy != "" {
			text += "; blocked by " + w.BlockedBy
		}
		if n := dumps[waitKey(w)]; n > 1 {
			text += "; so in " + phrase.Count(n, "dump")
		}
		v.hanging(text, 2, proseLines)
	}
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
