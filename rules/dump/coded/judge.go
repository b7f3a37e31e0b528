package coded

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse/frame"
)

// A finding is what a rule of this package reports.
type finding struct {
	rule string
	rules.Finding
}

// The doubts of these rules.
const (
	mayIdle       account.Doubt = "Goroutines that only receive may be idle workers."
	justWoken     account.Doubt = "A profile has only counts: goroutines that were just woken look the same."
	betweenOwners account.Doubt = "A profile has only counts: the lock may be between two owners."
)

// Thresholds (chosen). In a form that only counts, a goroutine that was just woken looks as if it waited, and who woke
// it may have returned meanwhile. Of 720 profiles of 30 healthy programs that hand values over all the time 6 had one
// stack like that, and 68, of pipelines, several that seemed to wait for each other; of 60 profiles of goroutines that
// fight for a lock two were made between two owners.
const (
	manyLeft    = 1000 // left over: the process has lost 2 MB of stacks at least
	manyCounted = 100
	toOneActive = 10 // left over, for each that is at work
	shownStacks = 6
)

// A group is goroutines that can never go on for one reason.
type group struct {
	s      *view
	waits  []*wait // the reason's, the first one is named
	behind []*wait // waits, and all who wait for these
	n      int     // goroutines of waits
	local  bool    // what they wait for is kept in variables of functions
	needed bool    // main waits, or the call that made what they wait for
}

// judge makes the findings: one for each object that nobody is left for, and one for each circle.
func (s *view) judge() {
	seen := map[*wait]bool{}
	for _, w := range s.waits {
		if !w.stuck || seen[w] {
			continue
		}
		g := &group{s: s}
		circle := slices.Contains(s.reach(w), w)
		for _, o := range s.waits {
			switch {
			case !o.stuck || seen[o]:
			case o == w, circle && slices.Contains(s.reach(w), o) && slices.Contains(s.reach(o), w),
				len(w.by) == 0 && len(o.by) == 0 && sameObject(o, w):
				g.waits, seen[o] = append(g.waits, o), true
			}
		}
		if circle || len(w.by) == 0 {
			g.complete()
			g.conclude(circle)
		}
	}
}

// ownLocks makes the findings of a dump that lacks goroutines: about locks that an outer call of the same stack has.
func (s *view) ownLocks() {
	for _, w := range s.waits {
		if w.wait == nil {
			(&group{s: s, waits: []*wait{w}, behind: []*wait{w}, n: w.st.b.Count}).own()
		}
	}
}

// sameObject reports whether two stacks wait for the same, as far as the source shows.
func sameObject(a, b *wait) bool {
	if a.wait == nil || b.wait == nil {
		return a.wait == b.wait && a.lock.Last() == b.lock.Last()
	}
	return a.objects[0] == b.objects[0]
}

// reach are the waits that must end before one can.
func (s *view) reach(w *wait) (all []*wait) {
	if known, ok := s.reached[w]; ok {
		return known
	}
	defer func() { s.reached[w] = all }()
	for work := []*wait{w}; len(work) > 0; work = work[1:] {
		for _, st := range work[0].by {
			if o := st.wait; o != nil && !slices.Contains(all, o) {
				all, work = append(all, o), append(work, o)
			}
		}
	}
	return all
}

// complete works out what a group's verdict needs.
func (g *group) complete() {
	slices.SortStableFunc(g.waits, func(a, b *wait) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.st.b.Count, a.st.b.Count))
	})
	g.behind = slices.Clone(g.waits)
	for _, o := range g.s.waits {
		if o.stuck && !slices.Contains(g.behind, o) && slices.ContainsFunc(g.s.reach(o), func(x *wait) bool {
			return slices.Contains(g.waits, x)
		}) {
			g.behind = append(g.behind, o)
		}
	}
	g.local = true
	for _, w := range g.waits {
		g.n += w.st.b.Count
		g.local = g.local && w.local()
	}
	g.needed = slices.ContainsFunc(g.behind, func(w *wait) bool { return calls(w.st.b, "main.main") || w.makes() })
}

// local reports whether a stack waits for what variables of functions alone have.
func (w *wait) local() bool {
	return w.wait != nil && !slices.ContainsFunc(w.objects, func(o *gocode.Object) bool {
		_, local := o.Local()
		return !local
	})
}

// rank orders the waits of a group: those that the others follow from come first.
func (w *wait) rank() int {
	if w.wait == nil {
		return int(gocode.CondWait) + 1
	}
	return int(w.wait.Kind)
}

// makes reports whether the call that waits has made what it waits for.
func (w *wait) makes() bool { return w.wait != nil && slices.ContainsFunc(w.wait.On, w.site.Makes) }

// abandoned is abandoned-wait (TR460).
// Who needs what they wait for has gone.
const abandoned = "TR460"

// needed is nobody-ends-wait (TR461).
// It is waited for still, or may be waited for again.
const needed = "TR461"

// conclude adds the finding about a group.
func (g *group) conclude(circle bool) {
	w := g.waits[0]
	switch {
	case w.wait == nil && !circle:
		g.leftLocked()
	case len(g.waits) == 1 && circle && (!g.local || w.own > 0):
		g.own()
	case circle && len(g.waits) > 1:
		g.circle()
	case g.local && !g.needed:
		g.add(abandoned, w.at, "waits for ever"+titles[w.wait.Kind], g.nobody(circle), g.fix())
	default:
		g.add(needed, w.at, "waits, and no goroutine is left to wake it", g.nobody(circle), g.fix())
	}
}

// acts are what a goroutine waits for, before the name of that; titles are what it waits for without.
var (
	acts = map[gocode.Kind]string{gocode.Send: "to send to ", gocode.Receive: "to receive from ",
		gocode.Select: "in a select for ", gocode.GroupWait: "for ", gocode.CondWait: "for "}
	titles = map[gocode.Kind]string{gocode.Send: " to send a value that nobody is left to receive",
		gocode.Receive: " for a value that nobody is left to send", gocode.Select: " in a select that nobody is " +
			"left to end",
		gocode.GroupWait: " for a Done that nobody is left to call",
		gocode.CondWait:  " for a signal that nobody is left to send"}
	ends = map[gocode.Op]string{gocode.OpSend: "sends to it", gocode.OpReceive: "receives from it",
		gocode.OpClose: "closes it", gocode.OpDone: "calls Done", gocode.OpSignal: "signals"}
)

// waitsFor is what a stack waits for, in a sentence.
func (w *wait) waitsFor() string {
	if w.wait == nil {
		return "for the lock " + w.lock.String()
	}
	var names []string
	for _, e := range w.wait.On {
		names = append(names, w.site.Text(e))
	}
	return acts[w.wait.Kind] + strings.Join(names, " or ")
}

// does says that goroutines wait, where, and for what.
func (w *wait) does(n int) string {
	return fmt.Sprintf("%s at %s %s", account.WhoWaits(n, w.st.b), w.place(w.at), w.waitsFor())
}

func (w *wait) place(i int) string { return rules.PlaceText(rules.PlaceOf(w.st.b.Frames[i].Frame)) }

func (w *wait) spot(i int) string { return rules.PlaceLine(rules.PlaceOf(w.st.b.Frames[i].Frame)) }

// nobody says that no goroutine is left that could end a wait.
func (g *group) nobody(circle bool) string {
	w := g.waits[0]
	text := w.does(g.n)
	if made, local := w.objects[0].Local(); local && made.IsValid() {
		file, line := w.site.Place(made)
		text += fmt.Sprintf(", which is made at %s:%d", symbol.ShortFile(file), line)
	}
	if circle {
		return text + ". Every goroutine that could end this wait is blocked in the same way."
	}
	return text + ". No goroutine can still reach code that ends this wait, and no other code has access to " +
		"" + w.site.Text(w.wait.On[0]) + "."
}

// fix is what ends such a wait.
func (g *group) fix() string {
	w := g.waits[0]
	name, spot := w.site.Text(w.wait.On[0]), w.spot(w.at)
	switch w.wait.Kind {
	case gocode.Send:
		if g.local {
			return fmt.Sprintf("Make %s large enough for all values, or also select on a done channel at %s.",
				name, spot)
		}
		return "Close a done channel that the sender selects on when the receiver exits early, or restart the receiver."
	case gocode.Receive:
		return fmt.Sprintf("Close %s with defer, on every path out, if nothing is sent afterwards.", name)
	case gocode.GroupWait:
		return fmt.Sprintf("Call Done for each Add of %s on every path: make defer %s.Done() the first line.",
			name, name)
	}
	return fmt.Sprintf("End the wait at %s on every path out.", spot)
}

// leftLocked is left-locked-by-source (TR464).
// A function has returned with the lock that goroutines wait for.
func (g *group) leftLocked() {
	w, left := g.waits[0], g.s.left(g.waits[0])
	name := gocode.Name(left[0].Fn, left[0].Decl)
	file, line := w.site.Place(left[0].Return)
	_, taken := w.site.Place(left[0].Taken)
	why := fmt.Sprintf("%s, and no stack is at a line where the lock may be held. %s returns at %s:%d with the lock "+
		"that it takes at line %d.", w.does(g.n), name, file, line, taken)
	culprit := rules.PlaceOf(w.st.b.Frames[w.at].Frame)
	const act = "returns with a lock that others wait for"
	f := g.add("TR464", w.at, act, why, fmt.Sprintf(
		"Unlock %s before the return at %s:%d, or with defer right after the Lock.", left[0].Lock, file, line))
	if f == nil {
		return
	}
	dir := strings.TrimSuffix(culprit.File, culprit.File[strings.LastIndexByte(culprit.File, '/')+1:])
	f.Culprit = rules.Place{Function: culprit.Package + "." + runtimeName(left[0].Decl), Package: culprit.Package,
		File: dir + file, Line: line}
	f.Title = title(f.Culprit, act)
}

// runtimeName is how the runtime names a declared function, without its package.
func runtimeName(d *ast.FuncDecl) string {
	name := gocode.Name(d, d)
	if i := strings.IndexByte(name, '['); i >= 0 { // of a generic type
		name = name[:i] + "[...]" + name[strings.IndexByte(name, ']')+1:]
	}
	return name
}

// own is waits-for-itself (TR463).
// It says what an outer call of the goroutine would do.
func (g *group) own() {
	w := g.waits[0]
	outer := g.s.outer(w)
	if outer < 0 {
		return
	}
	from := w.place(outer)
	why := w.does(g.n) + ". Only its caller " + from +
		" could end this wait, and that caller can't continue until the wait ends."
	fix := fmt.Sprintf("Move the operation at %s to another goroutine.", w.spot(w.at))
	act := "waits for its own goroutine"
	if w.wait == nil {
		why = w.does(g.n) + ". Its caller " + from + " already holds this lock."
		fix = fmt.Sprintf("Release the lock at %s before the call that takes it again.", w.spot(outer))
		act = "takes a lock that its own goroutine holds"
	}
	culprit := w.at
	if w.own > 0 {
		culprit = w.own
	}
	if c := g.s.calledBack(w, outer); c >= 0 {
		culprit = c
	}
	g.add("TR463", culprit, act, why, fix)
}

// outer is the call of a stack that could end its own wait; -1 where none has the lock that it waits for, for sure.
func (s *view) outer(w *wait) int {
	if w.own > 0 {
		return w.own
	}
	for i := w.at; i < len(w.st.calls); i++ {
		if w.wait == nil && s.sameLock(w, i) || slices.ContainsFunc(w.ways, func(ways *gocode.Ways) bool {
			return s.comesAt(w.st, i, w, ways)
		}) {
			return i
		}
	}
	return -1
}

// calledBack is the frame of the program that an outer one of another package calls back; -1 for none.
func (s *view) calledBack(w *wait, outer int) int {
	if s.d.Program.Class(w.st.b.Frames[outer].Frame) == frame.ClassOwn {
		return -1
	}
	for i := outer - 1; i > w.at; i-- {
		f := &w.st.b.Frames[i]
		if f.Elided == 0 && !w.st.calls[i].passes && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			return i
		}
	}
	return -1
}

// circle is circle-by-source (TR465).
// It says for whom two of the goroutines wait.
func (g *group) circle() {
	w := g.waits[0]
	other, link := g.waits[1], "The source shows that only goroutines that wait for this one can end the wait"
	if w.owing != nil {
		other, link = w.owing, "A goroutine that must call Done waits for the lock that this one may hold"
	}
	why := fmt.Sprintf("%s. %s: %s.", w.does(w.st.b.Count), link, lower(other.does(other.st.b.Count)))
	fix := fmt.Sprintf("Break the circle at %s: drop the wait there, or move it to a goroutine that nobody waits "+
		"for.", w.spot(w.at))
	if w.wait == nil {
		fix = "Take the locks in the same order everywhere."
	}
	g.add("TR465", w.at, "waits for a goroutine that waits for it", why, fix)
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// doubt is what speaks for another reason than a group's; said is false where that is as likely.
func (g *group) doubt(rule string) (d account.Doubt, said bool) {
	counted, lock := g.s.d.Counted(), !slices.ContainsFunc(g.waits, func(w *wait) bool { return w.wait != nil })
	many := g.n >= manyCounted && g.n >= toOneActive*active(g.s.d)
	switch {
	case counted && rule == "TR464" && g.n < manyCounted:
		return betweenOwners, true
	case counted && g.local && !many && (len(g.behind) > 1 || g.needed && active(g.s.d) > 0):
		return "", false
	case !g.harms() && !lock:
		return mayIdle, true
	case counted && !many && !lock && (rule != "TR463" || g.n > 1):
		return justWoken, true
	}
	return "", true
}

// harms reports whether a goroutine misses what doesn't come. Those that only receive may be idle.
func (g *group) harms() bool {
	return g.local && g.n > 1 || slices.ContainsFunc(g.behind, func(w *wait) bool {
		switch {
		case w.wait == nil:
			return true
		case w.wait.Kind == gocode.Send:
			return !w.offers()
		case w.wait.Kind == gocode.GroupWait: // not who only notes that workers have ended
			return slices.Contains(g.waits, w) || calls(w.st.b, "main.main")
		}
		return !w.local() && w.makes()
	})
}

// offers reports whether a goroutine does nothing but send to who asks for one value: a generator.
func (w *wait) offers() bool {
	for i := w.at + 1; i < len(w.st.calls); i++ {
		if !w.st.calls[i].passes && w.st.b.Frames[i].Func != "runtime.goexit" {
			return false
		}
	}
	return w.st.b.Count == 1 && w.site.InLoop(w.wait.At) && !slices.ContainsFunc(w.ways,
		func(ways *gocode.Ways) bool { return slices.ContainsFunc(ways.Enders, gocode.Use.InLoop) })
}

// add makes a finding about a group, at a frame of the first one; nil where nothing is to be said.
func (g *group) add(rule string, culprit int, act, why, fix string) *finding {
	doubt, said := g.doubt(rule)
	if !said {
		return nil
	}
	w := g.waits[0]
	bl := rules.BlameBucket(g.s.d, w.st.b)
	// Of several locks that one field has, it isn't sure which one goroutines wait for.
	proven := !g.s.d.Counted() && (rule == "TR463" || w.wait != nil)
	f := finding{rule, rules.Finding{Culprit: rules.PlaceOf(w.st.b.Frames[culprit].Frame), Path: bl.Path,
		Creator: bl.Creator, Why: why, Fix: fix, Count: g.n, Confidence: doubt.Confidence(proven),
		Notes: w.endedBy(), Next: []rules.Step{g.s.d.StepTarget().SecondDump()}}}
	if doubt != "" {
		f.Against = []string{string(doubt)}
	}
	if rule == abandoned && g.n < manyLeft {
		f.Severity = rules.Medium
	}
	f.Title = title(f.Culprit, act)
	for _, o := range g.behind[:min(len(g.behind), shownStacks)] {
		f.Evidence = append(f.Evidence, rules.EvidenceOf(g.s.d, o.st.b, ""))
	}
	g.s.found = append(g.s.found, f)
	return &g.s.found[len(g.s.found)-1]
}

func title(culprit rules.Place, act string) string {
	name, bare, at := rules.TitleParts(culprit)
	return rules.FirstTitle(phrase.CutTitle(bare+" "+act), name+" "+act+at, bare+" "+act+at, bare+" "+act)
}

// maxEnders bounds the operations that a note names.
const maxEnders = 3

// endedBy is what in the source would end a wait.
func (w *wait) endedBy() []string {
	var parts []string
	for _, ways := range w.ways {
		for _, u := range ways.Enders {
			file, line := w.site.Place(u.At)
			part := fmt.Sprintf("%s %s at %s:%d", gocode.Name(u.Fn, u.Decl), ends[u.Op], symbol.ShortFile(file), line)
			if u.Select {
				part += ", in a select"
			}
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	if n := len(parts); n > maxEnders {
		parts = append(parts[:maxEnders], fmt.Sprintf("%d more", n-maxEnders))
	}
	return []string{"This would end the wait: " + strings.Join(parts, "; ") + "."}
}
