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
	g, p := m.best.group, m.best.place
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
		form = who + " that %s started " + g.does(m.n)
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
	stackparse.ClassSleep: "sleep", stackparse.ClassRunning: "run", stackparse.ClassRunnable: "are ready to run",
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

// fewUsual is the most that is called one or a few.
const fewUsual = 5

func usually(n int) string {
	if n <= fewUsual {
		return "one or a few"
	}
	return "up to " + phrase.Number(n)
}

// next is the step that shows the goroutines: their lines, or where the input has none the dump of a port.
func (x sight) next() rules.Step {
	if x.Format == stackparse.FormatProfile {
		return x.StepTarget().Dump()
	}
	show := "triage show " + rules.Quote(x.evidence().Input)
	if ids := rules.SmallestIDs(x.buckets[0].Goroutines); len(ids) > 0 && ids[0] > 0 {
		return rules.Command(show + " --goroutine " + strconv.FormatUint(ids[0], 10))
	}
	return rules.Command(show + " --function " + rules.Quote(x.place.Function))
}

// evidence is where the dump shows the group: at its largest bucket, with the ids of all.
func (x sight) evidence() rules.Evidence {
	b, text := x.buckets[0], ""
	if len(x.buckets) > 1 {
		text = phrase.CountGoroutines(x.n) + " of several stacks"
		if len(b.Goroutines) > 0 {
			text = rules.HeaderText(x.DumpInput, &b.Goroutines[0]) + ", " + text
		}
	}
	e := rules.EvidenceOf(x.DumpInput, b, text)
	e.Count, e.Goroutines = x.n, x.smallest()
	return e
}

// reasons are the facts that single the group out, those with the most points first.
func (x sight) reasons() (sentences []string) {
	type reason struct {
		points   float64
		sentence string
	}
	var all []reason
	for i := range facts {
		f := &facts[i]
		if units := f.of(x.view, x.group); units > 0 && f.say != nil {
			all = append(all, reason{units * f.points, phrase.Fit(f.say(x.view, x.group), maxSentence)})
		}
	}
	slices.SortStableFunc(all, func(a, b reason) int { return cmp.Compare(b.points, a.points) })
	for _, r := range all {
		if r.sentence != "" && !slices.Contains(sentences, r.sentence) {
			sentences = append(sentences, r.sentence)
		}
	}
	return sentences
}

// doubts are the facts that speak for another reason.
func (x sight) doubts() (some []string) {
	for _, d := range []struct {
		holds    bool
		sentence string
	}{
		{x.peers() && x.active[x.pkg] != nil, x.mayEnd()},
		{x.idle() && x.n > 1, "Each waits where such goroutines wait for work: only the number stands out"},
		{x.free() && x.kind == receive && x.looped(), "A loop that waits for work looks the same"},
		{x.free() && x.kind == choose, "A select may have a timer, which a dump does not show"},
		{x.peers() && x.oldest == 0 && !x.Counted(), "No goroutine shows a wait of a minute or more"},
		{x.peers() && x.oldest == 0 && x.Counted(), "A goroutine profile shows no ages: the wait may be recent"},
		{x.computes(), "It may simply be working"},
	} {
		if d.holds && d.sentence != "" && len(some) < maxSentences {
			some = append(some, phrase.Fit(d.sentence, maxSentence))
		}
	}
	return some
}

// mayEnd names a goroutine that is not blocked and is in the package in which the group waits.
func (x sight) mayEnd() string {
	n, g := x.moving[x.pkg], x.active[x.pkg]
	if g == nil {
		return ""
	}
	doing := g.does(1) + " in " + rules.PlaceText(g.place)
	if n == 1 {
		return "1 goroutine of package " + inPackage(x.group) + " may end the wait: it " + doing
	}
	return fmt.Sprintf("%d goroutines of package %s are not blocked and may end the wait: one %s", n,
		inPackage(x.group), doing)
}

// inPackage is the name of the package in which the group waits: that before a major version.
func inPackage(g *group) string {
	path, name := symbol.CutLast(symbol.Unescape(g.pkg))
	if digits, ok := strings.CutPrefix(name, "v"); ok && strings.Trim(digits, "0123456789") == "" && path != "" {
		_, name = symbol.CutLast(strings.TrimSuffix(path, "/"))
	}
	return name
}

func sayRole(_ *view, g *group) string { return "Each " + g.role.Doc }

// manyHere is the least group whose share of the dump is said. Chosen.
const manyHere = 10

func sayShare(s *view, g *group) string {
	if g.n < manyHere {
		return ""
	}
	return fmt.Sprintf("%s of the dump's %s (%s) are here", phrase.Number(g.n), phrase.Count(s.total, "goroutine"),
		phrase.Percent(share(g.n, s.total)))
}

func sayCaller(_ *view, g *group) string {
	if g.caller.Function == "" {
		return ""
	}
	return "The call comes from " + rules.PlaceText(g.caller)
}

// whom is the oldest of a group, or the only one.
func (g *group) whom() string {
	if g.n == 1 {
		return "It"
	}
	return "The oldest"
}

func sayAge(s *view, g *group) string {
	text := g.whom() + " has waited " + phrase.CountMinutes(g.minutes)
	if g.minutes == s.oldest {
		return text + ", as long as any in the dump"
	}
	return text + "; the longest wait in the dump is " + phrase.CountMinutes(s.oldest)
}

func sayBack(_ *view, g *group) string {
	return fmt.Sprintf("%s called %s, which called back into %s", symbol.ShortFunc(g.calls[g.back].function),
		symbol.ShortFunc(g.calls[g.back-1].function), symbol.ShortFunc(g.calls[0].function))
}

func sayWanted(s *view, g *group) string {
	other, holder := s.wanted(g)
	want := "want"
	if other.n == 1 {
		want = "wants"
	}
	return fmt.Sprintf("%s, on this stack, may hold the lock that %s in %s %s", symbol.ShortFunc(holder.function),
		phrase.Count(other.n, "goroutine"), symbol.ShortFunc(other.key.function), want)
}

func sayStayed(s *view, g *group) string {
	same, of := s.stayed(g)
	later := "in the later dump"
	if now, ok := s.Time(); ok {
		if then, ok := s.earlier.Time(); ok && now.After(then) {
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

func sayGrown(s *view, g *group) string {
	return phrase.Number(s.grown(g)) + " more than in the earlier dump"
}

func sayOwner(*view, *group) string { return "No other goroutine seems to hold the lock" }

func saySole(*view, *group) string {
	return "It is the only one in its process that runs or is ready to run"
}

func sayAlone(_ *view, g *group) string { return "No other goroutine is in package " + inPackage(g) }

func sayAsks(s *view, _ *group) string {
	return fmt.Sprintf("%s in %s may exist because of these", phrase.Count(s.crowd.n, "library goroutine"),
		symbol.ShortFunc(s.crowd.key.function))
}

func sayCallee(_ *view, g *group) string {
	if g.computes() {
		return "It executes " + symbol.ShortFunc(g.callee)
	}
	return "The wait is in " + symbol.ShortFunc(g.callee)
}
