package goroutines

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// Chosen: what is read of a list. Names of functions come from the input, and may be of any length.
const (
	maxSentences = 3 // for a suspect, and against it
	maxSentence  = 200
	manyHere     = 10 // the least group whose share of the dump is said
)

// suspect is the place in words; processes are how many the inputs show.
func (m *place) suspect(processes int) suspect.Suspect {
	x := suspect.Suspect{
		Points: m.best.points, Title: m.title(), Culprit: m.best.place, For: m.best.reasons(),
		Against: m.best.doubts(), Next: []rules.Step{m.best.next()}, Usual: m.best.points < suspect.Shown,
	}
	if m.processes > 1 {
		all := phrase.Count(processes, "process")
		x.For = slices.Insert(x.For, 0, fmt.Sprintf("%d of %s show it", m.processes, all))
	}
	x.For = x.For[:min(len(x.For), maxSentences)]
	for _, at := range m.shown {
		x.Evidence = append(x.Evidence, at.evidence())
	}
	return x
}

// title says how many wait, how and where: "33 goroutines wait to send in pkg.F (file.go:79)".
func (m *place) title() string {
	g, p := m.best, m.best.place
	p.Function = symbol.HideTypeArgs(p.Function)
	name, bare, at := rules.TitleParts(p)
	who := phrase.Count(m.n, "goroutine")
	if ids := g.smallest(); m.n == 1 && len(ids) == 1 {
		who = "goroutine " + strconv.FormatUint(ids[0], 10)
	}
	form := who + " " + g.does(m.n) + " in %s"
	switch {
	case !g.free() && g.n > g.role.Usual:
		form = who + " of %s: a process usually has " + usually(g.role.Usual)
	case g.started:
		form = who + " started by %s " + g.does(m.n)
	}
	full := fmt.Sprintf(form, name) + at
	return rules.FirstTitle(phrase.Fit(full, phrase.MaxTitle), full, fmt.Sprintf(form, bare)+at, who+" in "+bare+at)
}

// verbs are what goroutines of a class do; those of others wait.
var verbs = map[stackparse.Class]string{
	stackparse.ClassMutex: "wait for a lock", stackparse.ClassRWMutexR: "wait for a read lock",
	stackparse.ClassRWMutexW: "wait for a write lock", stackparse.ClassSemaphore: "wait for a semaphore",
	stackparse.ClassChanSend: "wait to send", stackparse.ClassChanReceive: "wait to receive",
	stackparse.ClassSelect: "wait in a select", stackparse.ClassNilChan: "wait on a nil channel",
	stackparse.ClassNoCases: "wait in an empty select", stackparse.ClassWaitGroup: "wait for a WaitGroup",
	stackparse.ClassCond: "wait for a sync.Cond", stackparse.ClassIO: "wait for the network or a file",
	stackparse.ClassSyscall: "are in a system call", stackparse.ClassCgo: "are in C code",
	stackparse.ClassSleep: "sleep", stackparse.ClassRunning: "are running",
	stackparse.ClassRunnable: "are ready to run",
}

// does is what n goroutines of the group do.
func (g *group) does(n int) string {
	verb := cmp.Or(verbs[g.buckets[0].Class], "wait")
	if n != 1 {
		return verb
	}
	if rest, ok := strings.CutPrefix(verb, "are "); ok {
		return "is " + rest
	}
	first, rest, _ := strings.Cut(verb, " ")
	return strings.TrimSpace(first + "s " + rest)
}

func usually(n int) string {
	if n <= 5 {
		return "one or a few"
	}
	return "up to " + phrase.Number(n)
}

// next is the step that shows the goroutines: their lines, or where the input has none the dump of a port.
func (g *group) next() rules.Step {
	if g.Format == stackparse.FormatProfile {
		return g.StepTarget().Dump()
	}
	show := "triage show " + rules.Quote(g.evidence().Input)
	if ids := rules.SmallestIDs(g.buckets[0].Goroutines); len(ids) > 0 && ids[0] > 0 {
		return rules.Command(show + " --goroutine " + strconv.FormatUint(ids[0], 10))
	}
	return rules.Command(show + " --function " + rules.Quote(g.place.Function))
}

// evidence is where the dump shows the group: at its largest bucket, with the ids of all.
func (g *group) evidence() rules.Evidence {
	b, text := g.buckets[0], ""
	if len(g.buckets) > 1 {
		text = phrase.CountGoroutines(g.n) + " of several stacks"
		if len(b.Goroutines) > 0 {
			text = rules.HeaderText(g.DumpInput, &b.Goroutines[0]) + ", " + text
		}
	}
	e := rules.EvidenceOf(g.DumpInput, b, text)
	e.Count, e.Goroutines = g.n, g.smallest()
	return e
}

// reasons are the facts that single the group out, those with the most points first.
func (g *group) reasons() (sentences []string) {
	points := map[string]float64{} // by sentence: of the best fact that it says
	for i := range facts {
		f := &facts[i]
		if units := f.of(g); units > 0 && f.say != nil {
			sentence := phrase.Fit(f.say(g), maxSentence)
			if !slices.Contains(sentences, sentence) && sentence != "" {
				sentences = append(sentences, sentence)
			}
			points[sentence] = max(points[sentence], units*f.points)
		}
	}
	slices.SortStableFunc(sentences, func(a, b string) int { return cmp.Compare(points[b], points[a]) })
	return sentences
}

// doubts are the facts that speak for another reason.
func (g *group) doubts() (some []string) {
	for _, d := range []struct {
		holds    bool
		sentence string
	}{
		{g.peers(), g.mayEnd()},
		{g.idle() && g.n > 1, "Each of them waits where idle goroutines normally wait: only their number stands out"},
		{g.free() && g.kind == receive && g.looped(), "A loop that waits for work looks the same"},
		{g.free() && g.kind == choose, "A select may have a timer, which a dump does not show"},
		{g.peers() && g.oldest == 0 && !g.Counted(), "No goroutine shows a wait of a minute or more"},
		{g.peers() && g.oldest == 0 && g.Counted(), "A goroutine profile shows no wait times: the wait may be recent"},
		{g.computes(), "It may simply be working"},
	} {
		if d.holds && d.sentence != "" && len(some) < maxSentences {
			some = append(some, phrase.Fit(d.sentence, maxSentence))
		}
	}
	return some
}

// mayEnd names a goroutine that is not blocked and is in the package in which the group waits.
func (g *group) mayEnd() string {
	n, other := g.moving[g.pkg], g.active[g.pkg]
	if other == nil {
		return ""
	}
	doing := other.does(1) + " in " + rules.PlaceText(other.place)
	if n == 1 {
		return "1 goroutine of package " + g.inPackage() + " may end the wait: it " + doing
	}
	return fmt.Sprintf("%d goroutines of package %s are not blocked and may end the wait: one %s", n, g.inPackage(),
		doing)
}

// inPackage is the name of the package in which the group waits: that before a major version.
func (g *group) inPackage() string {
	path, name := symbol.CutLast(symbol.Unescape(g.pkg))
	if digits, ok := strings.CutPrefix(name, "v"); ok && strings.Trim(digits, "0123456789") == "" && path != "" {
		_, name = symbol.CutLast(strings.TrimSuffix(path, "/"))
	}
	return name
}

func sayRole(g *group) string { return "Each " + g.role.Doc }

func sayShare(g *group) string {
	if g.n < manyHere {
		return ""
	}
	return fmt.Sprintf("%s of the dump's %s (%s) are here", phrase.Number(g.n), phrase.Count(g.total, "goroutine"),
		phrase.Percent(share(g.n, g.total)))
}

func sayCaller(g *group) string {
	if g.caller.Function == "" {
		return ""
	}
	return "The call comes from " + rules.PlaceText(g.caller)
}

func sayAge(g *group) string {
	text := "The oldest"
	if g.n == 1 {
		text = "It"
	}
	text += " has waited " + phrase.CountMinutes(g.minutes)
	if g.minutes == g.oldest {
		return text + ", as long as any in the dump"
	}
	return text + "; the longest wait in the dump is " + phrase.CountMinutes(g.oldest)
}

func sayBack(g *group) string {
	return fmt.Sprintf("%s called %s, which called back into %s", symbol.ShortFunc(g.calls[g.back].function),
		symbol.ShortFunc(g.calls[g.back-1].function), symbol.ShortFunc(g.calls[0].function))
}

func sayWanted(g *group) string {
	other, holder := g.wanted()
	return fmt.Sprintf("%s, which is on this stack, may hold the lock that %s in %s wait%s for",
		symbol.ShortFunc(holder.function), phrase.Count(other.n, "goroutine"), symbol.ShortFunc(other.key.function),
		phrase.OnlyIf(other.n == 1, "s"))
}

func sayStayed(g *group) string {
	same, of := g.stayed()
	later := "in the later dump"
	if now, ok := g.Time(); ok {
		if then, ok := g.earlier.Time(); ok && now.After(then) {
			later = phrase.Duration(now.Sub(then)) + " after the first dump"
		}
	}
	switch {
	case g.n == 1:
		return "It is still here " + later
	case of < g.n && same == of:
		return fmt.Sprintf("The %s oldest are still here %s", phrase.Number(of), later)
	}
	return fmt.Sprintf("%s of %s are still here %s", phrase.Number(same), phrase.Number(of), later)
}

func sayGrown(g *group) string { return phrase.Number(g.grown()) + " more than in the earlier dump" }

func sayOwner(*group) string { return "No other goroutine seems to hold the lock" }

func saySole(*group) string {
	return "It is the only goroutine in its process that is running or ready to run"
}

func sayAlone(g *group) string { return "No other goroutine is in package " + g.inPackage() }

func sayAsks(g *group) string {
	return fmt.Sprintf("%s in %s may exist because of these", phrase.Count(g.crowd.n, "library goroutine"),
		symbol.ShortFunc(g.crowd.key.function))
}

func sayCallee(g *group) string {
	if g.computes() {
		return "It executes " + symbol.ShortFunc(g.callee)
	}
	return "The wait is in " + symbol.ShortFunc(g.callee)
}
