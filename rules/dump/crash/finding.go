package crash

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/failure"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// maxCrashEvidence bounds the occurrences that one finding lists: what fits on a screen. Count has them all.
const maxCrashEvidence = 10

// A crashGroup is all crashes of one rule with one culprit: a crash loop, a handler that fails at each request.
type crashGroup struct {
	*crash          // the first
	rule   string   // its name
	shown  []*crash // the first maxCrashEvidence of them
	logged int      // how often it was recovered and logged
	deaths int      // how often the process died of it
	// root is what the error that was raised ends in, nil where its class is not known, and ends what the process does
	// of it: "panics".
	root *failure.Root
	ends string
	// firstSeen and lastSeen are timestamps as printed, sources the inputs, at most MaxEvidenceIDs.
	firstSeen, lastSeen string
	sources             []string
}

// crashRule is a rule over the dumps whose cause belongs to it: it lets locate correct who is to blame (nil: keep the
// panicking goroutine's culprit), groups by culprit and lets explain account for each group (nil: by its texts alone).
func crashRule(id, name string, category rules.Category, severity rules.Severity, locate func(*crash),
	explain func(*crashGroup, account.Facts) account.Account) *rules.Rule {
	if explain == nil {
		explain = (*crashGroup).account
	}
	run := func(p *rules.Pass) []rules.Finding {
		var groups []*crashGroup
		index := map[string]*crashGroup{}
		known := map[causeKey]string{}
		byStack := map[uint64]*crashGroup{}
		for _, d := range p.Dumps {
			if d.Cause == nil || ruleOf(d, known) != id {
				continue
			}
			stack := loggedStack(d)
			if g := byStack[stack]; stack != 0 && g != nil && len(g.shown) == maxCrashEvidence {
				g.count(d)
				continue
			}
			c := newCrash(d)
			if locate != nil {
				locate(c)
			}
			key := rules.Fingerprint(id, c.blame.Culprit, c.blame.Creator)
			if c.blame.Culprit.Function == "" {
				// No one to blame: only equal texts are one finding.
				key = rules.Fingerprint(id, rules.Place{Function: c.text}, "")
			}
			g := index[key]
			if g == nil {
				g = &crashGroup{crash: c, rule: name}
				index[key] = g
				groups = append(groups, g)
			}
			g.add(c)
			byStack[stack] = g
		}
		findings := make([]rules.Finding, 0, len(groups))
		for _, g := range groups {
			findings = append(findings, g.finding(explain(g, g.facts())))
		}
		return findings
	}
	return &rules.Rule{ID: id, Name: name, Category: category, Severity: severity, Needs: rules.NeedsCause, Run: run}
}

// facts are those that every rule's sentences may use: {who} with {at} is the culprit with its line, {line} the line
// for imperatives, {text} what was raised, {raw} all of it.
func (g *crashGroup) facts() account.Facts {
	return account.Facts{Text: g.text, Values: account.Values{"who": g.who(), "at": g.at(), "line": g.line(),
		"text": phrase.Cut(g.text, phrase.MaxQuoted), "raw": g.text, "goroutine": g.goroutine()}}
}

// account writes the account of a group. To the rule's own steps it adds those that show what came before (the dead
// container's log and why it was restarted, or the living one's) and who last changed the culprit's line.
func (g *crashGroup) account(f account.Facts) account.Account {
	f.OfLibrary(g.blame)
	a := findings().Account(g.rule, f)
	a.Next = g.logSteps(a.Next...)
	return a
}

// A causeKey is what causeRule decides by for panics; a log may hold the same recovered panic a million times.
type causeKey struct {
	kind stackparse.CauseKind
	text string
}

// ruleOf is causeRule with what the stack shows of the cause: a fault in C, or in an atomic operation on purpose.
func ruleOf(d *rules.DumpInput, known map[causeKey]string) string {
	c := d.Cause
	if c.Kind != stackparse.CausePanic && c.Kind != stackparse.CauseLoggedPanic {
		rule := causeRule(c)
		if rule == idFatalSignal && inCgo(d) {
			return idCgoCrash
		}
		return rule
	}
	key := causeKey{c.Kind, originalPanic(c)}
	rule, ok := known[key]
	if !ok {
		rule = causeRule(c)
		known[key] = rule
	}
	if rule == idNilDereference && unaligned(d) {
		return idUnalignedAtomic
	}
	return rule
}

// add counts a crash in. Of a million equal ones only the first few are kept.
func (g *crashGroup) add(c *crash) {
	if len(g.shown) < maxCrashEvidence {
		g.shown = append(g.shown, c)
	}
	// The stack that shows most represents the group.
	if g.unwound && !c.unwound {
		g.crash = c
	}
	g.count(c.d)
}

// count counts a dump in without looking at its stack.
func (g *crashGroup) count(d *rules.DumpInput) {
	if g.firstSeen == "" {
		g.firstSeen = d.Stamp
	}
	if d.Stamp != "" {
		g.lastSeen = d.Stamp
	}
	if len(g.sources) < rules.MaxEvidenceIDs && !slices.Contains(g.sources, d.Input) {
		g.sources = append(g.sources, d.Input)
	}
	if d.Cause.Kind == stackparse.CauseLoggedPanic {
		g.logged += max(1, d.Seen)
	} else {
		g.deaths++
	}
}

// loggedStack is the key of the one stack of a logged panic, 0 for other dumps: equal stacks have one culprit.
func loggedStack(d *rules.DumpInput) uint64 {
	if d.Cause.Kind != stackparse.CauseLoggedPanic || len(d.Buckets) != 1 {
		return 0
	}
	return d.Buckets[0].Key
}

func (g *crashGroup) finding(a account.Account) rules.Finding {
	f := rules.Finding{
		Severity:   a.Severity,
		Confidence: a.Confidence,
		Title:      crashTitle(g.who(), a.Act+g.times(), g.where()),
		Culprit:    g.blame.Culprit,
		Path:       g.blame.Path,
		Why:        phrase.Sentence(a.Why),
		Fix:        a.Fix,
		Next:       a.Next,
		Creator:    g.blame.Creator,
		Count:      g.deaths + g.logged,
		Notes:      append(g.aftermath(), a.Notes...),
		FirstSeen:  g.firstSeen,
		LastSeen:   g.lastSeen,
		Sources:    g.sources,
	}
	if g.root != nil {
		f.Title, f.Fix = g.root.Title(phrase.Sentence(g.who()), g.ends+g.times(), g.where()), g.root.Fix()
	}
	if f.Severity == "" {
		f.Severity = rules.Critical
		if g.deaths == 0 {
			f.Severity = rules.High
		}
	}
	if f.Confidence == "" {
		f.Confidence = rules.ConfHigh
		if g.unwound {
			f.Confidence = rules.ConfMedium
		}
	}
	for _, c := range g.shown {
		f.Evidence = append(f.Evidence, c.evidence())
	}
	f.Evidence = append(f.Evidence, g.goroutineEvidence()...)
	f.Evidence = append(f.Evidence, a.Evidence...)
	return f
}

// roots finds the root of an error that ended the process. A lost lease has rules of its own.
func (g *crashGroup) roots(text, ends string) {
	if r := failure.Of(text); r.Class != "" && r.Class != failure.Lease {
		g.root, g.ends = &r, ends
	}
}

// times is ", recovered 12 times" for what was logged more than once.
func (g *crashGroup) times() string {
	switch {
	case g.deaths == 0 && g.logged > 1:
		return ", recovered " + strconv.Itoa(g.logged) + " times"
	case g.deaths > 1:
		return ", seen " + strconv.Itoa(g.deaths) + " times"
	}
	return ""
}

// aftermath describes what became of the process, and of the panic on its way up.
func (g *crashGroup) aftermath() (notes []string) {
	add := func(s string) {
		if s != "" {
			notes = append(notes, s)
		}
	}
	if chain := g.cause.Panics; raisedAnother(chain) {
		add("While it unwound, a deferred function raised another panic: " +
			phrase.Quoted(chain[len(chain)-1].Text) + ".")
	} else if len(chain) > 0 && (chain[0].Repanicked || len(chain) > 1) {
		add("A deferred function recovered it and raised it again; this is where it was first raised.")
	}
	add(g.setting())
	switch {
	case g.deaths > 0 && g.logged > 0:
		add("It was also recovered and logged " + phrase.CountTimes(g.logged) + ".")
	case g.deaths == 0:
		add("It was recovered and logged " + phrase.CountTimes(g.logged) +
			": the process goes on, but the work in progress was lost.")
	}
	if g.unwound {
		add("The stack was logged after the panic had unwound: the panic may have been raised elsewhere.")
	}
	return notes
}

// raisedAnother reports whether a deferred call panicked on its own: with another value, or while the first panic was
// not recovered.
func raisedAnother(chain []stackparse.Panic) bool {
	return len(chain) > 1 && (chain[len(chain)-1].Text != chain[0].Text || !chain[0].Recovered && !chain[0].Repanicked)
}

// setting reports where a crash happened when that matters for how to reach it: at the program's start, or in a
// finalizer or cleanup, which the runtime runs on goroutines of its own.
func (c *crash) setting() string {
	if c.b == nil {
		return ""
	}
	for _, f := range c.b.Frames {
		switch f.Func {
		case "runtime.runfinq", "runtime.runFinalizers", "runtime.runCleanups", "runtime.(*cleanupQueue).run":
			return "It ran in a finalizer or cleanup, on one of the runtime's goroutines, so no recover can catch it."
		case "runtime.doInit", "runtime.doInit1":
			return "It happened while packages were initialised, before main, so each restart fails the same way."
		}
	}
	return ""
}

// evidence is the line that states the cause.
func (c *crash) evidence() rules.Evidence {
	line := c.cause.Line
	if line == 0 {
		line = c.d.Line
	}
	e := rules.EvidenceAt(c.d, line, phrase.Cut(c.statement(), 2*phrase.MaxQuoted))
	e.Count = c.seen()
	if c.g != nil {
		e.Goroutines = []uint64{c.g.ID}
	}
	return e
}

// goroutineEvidence is the header of the goroutine it happened in, with the culprit's line.
func (c *crash) goroutineEvidence() []rules.Evidence {
	if c.g == nil || c.g.ID == 0 && c.g.Flags&stackparse.FlagG0 == 0 {
		return nil // its header was not printed
	}
	if len(c.twins) > 0 {
		e := rules.EvidenceOfGoroutines(c.d, append([]stackparse.Goroutine{*c.g}, c.twins...), "")
		e.Text += " in " + c.who() + c.at()
		return []rules.Evidence{e}
	}
	text := rules.HeaderText(c.d, c.g) + " in " + c.who() + c.at()
	return []rules.Evidence{rules.EvidenceOfGoroutines(c.d, []stackparse.Goroutine{*c.g}, text)}
}

// statement is the cause as it was printed.
func (c *crash) statement() string {
	s := ""
	switch c.cause.Kind {
	case stackparse.CauseSignal:
		s = c.cause.Signal
		if duringCgo(c.cause) {
			s += ", signal arrived during cgo execution"
		}
		return s
	case stackparse.CauseFatal:
		s = "fatal error: " + c.cause.Text
		if len(c.cause.Notes) > 0 {
			s = c.cause.Notes[0] + "; " + s
		}
	case stackparse.CausePanic, stackparse.CauseTestTimeout:
		s = "panic: " + strings.TrimSpace(originalPanic(c.cause))
	default:
		s = c.cause.LogLine
		if s == "" {
			s = c.cause.Text
		}
	}
	if c.cause.Detail != "" {
		s += " " + c.cause.Detail
	}
	return s
}

// crashTitle writes "WHO ACT (WHERE)" in at most MaxTitle characters: the package goes first, then the place, which a
// finding has besides, where the rest then fits, else the end of what it does, then the front of the name.
func crashTitle(who, act, where string) string {
	if where != "" {
		where = " (" + where + ")"
	}
	length := func(s string) int { return utf8.RuneCountInString(s) }
	over := func() int { return length(who) + 1 + length(act) + length(where) - phrase.MaxTitle }
	// Without its package a method still names its type; main.func1 would not.
	if i := strings.IndexByte(who, '.'); over() > 0 && i > 0 && strings.HasPrefix(who[i:], ".(") {
		who = who[i+1:]
	}
	if n := over(); n > 0 && n <= length(where) {
		where = ""
	}
	// minAct is what an act keeps at least: "dereferences a nil pointer" whole, a panic's text its beginning.
	const minAct = 40
	if n := over(); n > 0 && length(act) > minAct {
		act = phrase.Cut(act, max(minAct, length(act)-n))
	}
	if n := over(); n > 0 {
		r := []rune(who)
		who = "…" + string(r[min(len(r), n+1):])
	}
	return phrase.Cut(phrase.Sentence(who+" "+act+where), phrase.MaxTitle)
}

// at is " at engine.go:70" where the line is known.
func (c *crash) at() string {
	if w := c.where(); w != "" {
		return " at " + w
	}
	return ""
}

// line is "engine.go:70", or "that line" where it is not known, for imperatives.
func (c *crash) line() string {
	return cmp.Or(c.where(), "that line")
}

// logSteps are those that show what came before (the dead container's log and why it was restarted, or the living
// one's), then more, then who last changed the culprit's line.
func (g *crashGroup) logSteps(more ...rules.Step) []rules.Step {
	t := g.d.Target
	next := slices.Clone(more)
	if file := g.sourceFile(); file != "" {
		line := g.blame.Culprit.Line
		next = append(next, rules.Command(fmt.Sprintf("git log -3 -L%d,%d:%s", line, line, file)).
			Note("in the program's checkout: who changed this line"))
	}
	if t.Known() {
		if g.deaths > 0 {
			next = append([]rules.Step{t.LogsPrevious(), t.Describe()}, next...)
		} else {
			next = append([]rules.Step{t.Logs()}, next...)
		}
	}
	return next
}

// sourceFile is the culprit's file as a word of a command that runs in the root of a checkout, "" for other people's
// code: the package's path gives the folder, whatever the machine it was built on called it. Where it is not sure at
// which of the path's elements the module begins, git finds the file by its last folders; two such files make git
// refuse.
func (c *crash) sourceFile() string {
	p, program := c.blame.Culprit, c.d.Program
	if program.Module == "" || p.Line == 0 || p.File == "" || path.Base(p.File) == "_cgo_gotypes.go" {
		return ""
	}
	pkg, name := symbol.Unescape(p.Package), symbol.ShortFile(p.File)
	if strings.HasSuffix(name, "_test.go") {
		pkg = strings.TrimSuffix(pkg, "_test") // a package of tests lies in the folder of the one that it tests
	}
	dir, ok := strings.CutPrefix(pkg, program.Module)
	if !ok || dir != "" && dir[0] != '/' || strings.Contains(dir, "/vendor/") {
		return ""
	}
	file := path.Join(strings.TrimPrefix(dir, "/"), name)
	switch {
	case !program.Guessed:
		return rules.Quote(file)
	case strings.ContainsAny(pkg+name, "*?[\\"):
		return "" // git would take it for a pattern
	case dir == "": // the package is the module, or a folder of it
		return fmt.Sprintf(`"$(git ls-files %s %s)"`, rules.Quote(name), anywhere(path.Join(path.Base(pkg), name)))
	}
	return fmt.Sprintf(`"$(git ls-files %s)"`, anywhere(file))
}

// anywhere is a pathspec of git for a file in any folder, as a word of a shell.
func anywhere(file string) string { return rules.Quote(":(glob)**/" + file) }
