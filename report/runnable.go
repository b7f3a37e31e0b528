package report

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// runnables writes why those that were running are not accused; those to watch come first.
func (v *view) runnables() {
	var watch, innocent []schema.Runnable
	for d := range pointers(v.r.Dumps) {
		for _, r := range d.Runnable {
			switch r.Verdict {
			case "watch":
				watch = v.merged(watch, r)
			case "innocent":
				innocent = v.merged(innocent, r)
			}
		}
	}
	if len(watch)+len(innocent) == 0 {
		return
	}
	v.line()
	v.line(span{text: "RUNNING" + given(len(v.r.Findings) > 0, " TOO"), style: v.colour.Heading})
	v.verdicts("watch", watch)
	if len(watch) > 0 && v.dumpsWithStacks() < 2 {
		label := spaces(len("  innocent"))
		v.labelled(label, "one dump cannot tell work from a spin: take two more dumps some seconds apart and give "+
			"triage all three", 0)
	}
	v.verdicts("innocent", innocent)
}

// dumpsWithStacks counts the dumps that show more than one goroutine: a second one of them distinguishes work from a
// spin.
func (v *view) dumpsWithStacks() int {
	n := 0
	for d := range pointers(v.r.Dumps) {
		if d.Goroutines > 1 {
			n++
		}
	}
	return n
}

// merged adds r to list. Without --all, those with one reason become one, whose Frame is empty when they are in
// different places.
func (v *view) merged(list []schema.Runnable, r schema.Runnable) []schema.Runnable {
	for l := range pointers(list) {
		if v.all || l.Reason != r.Reason {
			continue
		}
		if l.Frame != r.Frame {
			l.Frame = schema.Frame{}
		}
		l.Count += r.Count
		l.Goroutines = append(l.Goroutines[:len(l.Goroutines):len(l.Goroutines)], r.Goroutines...)
		return list
	}
	return append(list, r)
}

func (v *view) verdicts(word string, list []schema.Runnable) {
	label := "  " + pad(word, len("innocent"))
	for i, r := range list {
		if i == runnableRows && !v.all {
			v.line(plain("            +" + phrase.Number(len(list)-i) + " more for other reasons"))
			break
		}
		who := phrase.Count(r.Count, "goroutine")
		if distinct := slices.Compact(slices.Sorted(slices.Values(r.Goroutines))); len(distinct) < len(r.Goroutines) {
			who = v.ids(distinct, len(distinct)) + " in several dumps"
		} else if len(distinct) > 0 {
			who = v.ids(r.Goroutines, r.Count)
		}
		reason := collapse(r.Reason)
		if fn := v.shortFunction(r.Frame.Function); fn != "" && !strings.Contains(reason, fn) {
			at := v.place(r.Frame.File, r.Frame.Line)
			who += " in " + fn + given(!strings.Contains(reason, at), aside(at))
		}
		v.labelled(plain(label), who+behind(": ", reason), proseLines)
		label = spaces(len(label)).text
	}
}
