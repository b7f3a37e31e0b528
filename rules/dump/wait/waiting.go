package wait

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// Thresholds that several of these rules share.
const (
	// sureMinutes in a header are one minute for sure: the text is off by up to one cycle of the collector, two minutes
	// in an idle process (stackparse.Goroutine.Minutes). No pool, limiter or dial of a healthy process makes anyone
	// wait for a minute: none does in the healthy dumps of testdata and of the corpus.
	sureMinutes = 3
	// longMinutes is when a remote call counts as stuck: three minutes for sure. Proxies and servers give up after 60 s
	// by default (nginx proxy_read_timeout, AWS load balancers, kube-apiserver --request-timeout).
	longMinutes = 5
	// veryLongMinutes is when a single call counts too: longer than the longest common long poll, Consul's of 10
	// minutes at most, and ten times those 60 s.
	veryLongMinutes = 12
	// pileUp is how many goroutines that wait for minutes in one such call are a crowd and no chance. The healthy dumps
	// of testdata and of the corpus have none: up to 12 requests and 9 look-ups of one caller at a time, all without
	// minutes.
	pileUp = 10
	// manyQueued is how many are before something bounded, for a moment, before it is worth a remark: the healthy
	// ledger in testdata/well has up to 20 callers behind its database pool in each of 20 dumps.
	manyQueued = 50
)

// calls are the stacks that these rules are about, by the names that stacks.md gives them: mostly that of a rule. They
// are compiled into one set of patterns when the first dump asks for them.
type calls struct {
	once    sync.Once
	m       *match.Patterns
	progs   []callProg
	held    *rules.Derived[held]         // which of them hold for the buckets of a dump
	indexes *rules.Derived[*sharedIndex] // of each program
	err     error                        // of the first condition that is none; TestWaitingRulesCompile rules it out
}

// A callProg is one of a call's conditions, of which one must hold.
type callProg struct {
	*match.MatchProg
	call string
}

// held are the buckets of one dump for which a call holds, in order, by the call's name.
type held map[string][]*stackparse.Bucket

// A sharedIndex is the index of a program's functions, for the dumps of that program one by one.
type sharedIndex struct {
	sync.Mutex
	x *match.Index
}

func newCalls() *calls {
	c := &calls{m: match.NewPatterns()}
	c.held, c.indexes = rules.DerivedOfDump(c.hold), rules.DerivedOfProgram(c.indexOf)
	return c
}

func (c *calls) indexOf(p frame.Program) *sharedIndex {
	return &sharedIndex{x: match.NewIndex(c.patterns(), p)}
}

// hold tries the conditions of all calls on the buckets of a dump.
func (c *calls) hold(d *rules.DumpInput) held {
	shared := c.indexes.Of(d)
	h := held{}
	shared.Lock()
	defer shared.Unlock()
	var v match.View
	for _, b := range d.Buckets {
		v.Look(shared.x, d.Dump, b)
		for i := range c.progs {
			p := &c.progs[i]
			if known := h[p.call]; p.Likely(b) && p.Holds(&v) && (len(known) == 0 || known[len(known)-1] != b) {
				h[p.call] = append(known, b)
			}
		}
	}
	return h
}

// patterns are those of all calls, which are compiled now.
func (c *calls) patterns() *match.Patterns {
	c.once.Do(func() {
		for _, name := range slices.Sorted(maps.Keys(stacks())) {
			for _, m := range conditions(name) {
				c.compile(name, &m)
			}
		}
	})
	return c.m
}

func (c *calls) compile(call string, condition *match.Match) {
	p, err := c.m.Compile(condition)
	if err != nil {
		c.err = cmp.Or(c.err, err)
		return
	}
	c.progs = append(c.progs, callProg{p, call})
}

// conditions are those of a call in stacks.md, of which one must hold.
func conditions(name string) []match.Match {
	var all []match.Match
	for _, p := range stacks()[name] {
		m := match.Match{At: functions(p.Field("at")), Through: functions(p.Field("through")),
			Top: functions(p.Field("top")), Creator: functions(p.Field("creator")),
			Frames: match.FramesMatch{Any: functions(p.Field("any")), None: functions(p.Field("none"))}}
		for class := range strings.SplitSeq(p.Field("class"), ", ") {
			switch class {
			case "":
			case "@waits":
				m.Class = waitClasses()
			case "@others":
				m.Class = peerClasses()
			default:
				m.Class = append(m.Class, stackparse.Class(class))
			}
		}
		if p.Condition == "except" {
			last := &all[len(all)-1]
			last.Except = append(last.Except, m)
		} else if p.Field("functions") == "" {
			all = append(all, m)
		}
	}
	return all
}

// functions are those of a list; "@name" is the list of that name.
func functions(list string) []string {
	var all []string
	for _, fn := range strings.Fields(list) {
		if name, ok := strings.CutPrefix(fn, "@"); ok {
			all = append(all, functions(stacks()[name][0].Field("functions"))...)
		} else {
			all = append(all, fn)
		}
	}
	return all
}

// waiters are the goroutines of one dump that wait in a rule's call behind one caller.
type waiters struct {
	*dumpIndex
	blame   rules.Blame
	buckets []*stackparse.Bucket
	count   int
	total   int    // goroutines in all groups of the dump
	minutes uint32 // the longest wait
}

// add counts n goroutines of a bucket in.
func (w *waiters) add(b *stackparse.Bucket, n int) {
	w.buckets = append(w.buckets, b)
	w.count += n
	w.minutes = max(w.minutes, b.MaxMinutes)
}

// since counts those that wait for at least that many minutes.
func (w *waiters) since(minutes uint32) int {
	n := 0
	for _, b := range w.buckets {
		n += waitingSince(b, minutes)
	}
	return n
}

func waitingSince(b *stackparse.Bucket, minutes uint32) int {
	if b.MaxMinutes < minutes {
		return 0
	}
	n := 0
	for i := range b.Goroutines {
		if b.Goroutines[i].Minutes >= minutes {
			n++
		}
	}
	return n
}

// who counts the waiters for a sentence: "goroutine 7", "24 goroutines".
func (w *waiters) who() string {
	if w.count == 1 && len(w.buckets[0].Goroutines) == 1 {
		return fmt.Sprintf("goroutine %d", w.buckets[0].Goroutines[0].ID)
	}
	return phrase.CountGoroutines(w.count)
}

// waits is "24 goroutines wait", "goroutine 7 has waited", as the clause that span ends needs it.
func (w *waiters) waits() string { return w.who() + " " + waitVerb(w.count, w.minutes) }

// waitVerb is the verb of a clause that spanOf ends: n goroutines "have waited" for 14 minutes.
func waitVerb(n int, minutes uint32) string {
	if minutes == 0 {
		return verb(n, "waits", "wait")
	}
	return verb(n, "has waited", "have waited")
}

// span is how long, for the end of a clause: " for 14 minutes", " for up to 14 minutes", "" where headers show nothing.
func (w *waiters) span() string { return spanOf(w.count, w.minutes) }

// spanOf is how long n goroutines have waited at most, for the end of a clause.
func spanOf(n int, minutes uint32) string {
	if minutes == 0 {
		return ""
	}
	return verb(n, " for ", " for up to ") + phrase.CountMinutes(minutes)
}

// in is the caller with its line.
func (w *waiters) in() string { return rules.PlaceText(w.blame.Culprit) }

// A verdict is what a rule concludes about waiters, with what chooses and fills in its texts.
type verdict struct {
	guilty   bool           // without it there is no finding
	proven   bool           // a stack itself shows it, or several dumps do
	inferred bool           // it rests on types or on silence: of low confidence, though nothing speaks against it
	doubt    account.Doubt  // what speaks for another reason
	severity rules.Severity // "" is the rule's
	category rules.Category // "" is the rule's
	cases    []string
	values   account.Values
	evidence []rules.Evidence // besides the waiters' own
	at       int              // the call at fault, 0 where it is the one that the stack is blamed for
}

func guilty() verdict { return verdict{guilty: true} }

// but is v with a doubt if something holds; the first doubt counts.
func (v verdict) but(holds bool, d account.Doubt) verdict {
	if holds && v.doubt == "" {
		v.doubt = d
	}
	return v
}

// confidence is how sure an accusation is.
func (v verdict) confidence() rules.Confidence {
	if v.inferred && !v.proven {
		return rules.ConfLow
	}
	return v.doubt.Confidence(v.proven)
}

// again is v with what n other dumps show of it.
func (v verdict) again(n int) verdict {
	v.proven = v.proven || n > 0
	return v
}

// sure reports whether nothing speaks against an accusation.
func (v verdict) sure() bool { return v.guilty && v.doubt == "" }

// of is v with an impact that is not the rule's.
func (v verdict) of(s rules.Severity) verdict {
	v.severity = s
	return v
}

// with is v with values for its texts.
func (v verdict) with(values account.Values, cases ...string) verdict {
	v.values, v.cases = values, cases
	return v
}

// also is v with further cases of its texts.
func (v verdict) also(cases ...string) verdict {
	v.cases = append(v.cases, cases...)
	return v
}

// run is the Run of a rule that judges each group of goroutines that wait in the call of its name. Dumps that a crash
// printed are asked for their cause only.
func (c *calls) run(rule string, judge func(*waiters) verdict) run {
	return dumpRun(c, func(s *dumpIndex) (found []rules.Finding) {
		for _, w := range s.gather(rule) {
			found = append(found, w.findings(rule, judge(w))...)
		}
		return found
	})
}

// findings writes a verdict up, if there is one. {count} goroutines, or so many that {waits}, wait {in} the caller for
// a {span} of time, of {total} in all groups.
func (w *waiters) findings(rule string, v verdict) []rules.Finding {
	if !v.guilty {
		return nil
	}
	values := account.Values{"count": phrase.CountGoroutines(w.count), "waits": w.waits(), "in": w.in(),
		"span": w.span(), "total": strconv.Itoa(w.total)}
	maps.Copy(values, v.values)
	facts := account.Facts{Cases: v.cases, Values: values, Target: w.d.StepTarget(), Doubt: v.doubt}
	facts.OfLibrary(w.blame)
	text := findings().Account(rule, facts)
	if text.Next == nil {
		text.Next = []rules.Step{w.d.StepTarget().SecondDump()}
	}
	again := w.stillThere()
	f := rules.Finding{
		Category: v.category, Severity: v.severity, Confidence: v.again(again).confidence(),
		Title:   waitTitle(w.blame.Culprit, text.Act),
		Culprit: w.blame.Culprit, Path: w.blame.Path, Creator: w.blame.Creator, Count: w.count,
		Why: text.Why, Fix: text.Fix, Next: text.Next, Against: text.Against,
	}
	for _, b := range w.buckets[:min(len(w.buckets), rules.MaxEvidence)] {
		f.Evidence = append(f.Evidence, rules.EvidenceOf(w.d, b, ""))
	}
	f.Evidence = append(f.Evidence, v.evidence...)
	if again > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Another dump of this process shows %s of them in the same place.",
			numberOf(again, w.count)))
	}
	return []rules.Finding{f}
}

func numberOf(n, all int) string {
	if n >= all {
		return "all"
	}
	return fmt.Sprint(n)
}

// stillThere counts the waiters that another dump of the same process shows on the same stack.
func (w *waiters) stillThere() int {
	if w.d.Process == "" {
		return 0
	}
	best, compared := 0, 0
	for _, other := range w.p.Dumps {
		if other == w.d || other.Process != w.d.Process || other.Dump == w.d.Dump {
			continue
		}
		if compared++; compared > maxCompared {
			break
		}
		n := 0
		for _, b := range w.buckets {
			i := slices.IndexFunc(other.Buckets, func(o *stackparse.Bucket) bool { return o.Key == b.Key })
			if i >= 0 {
				n += commonIDs(b.Goroutines, other.Buckets[i].Goroutines)
			}
		}
		best = max(best, n)
	}
	return best
}

// maxCompared bounds the other dumps that a finding is looked for in: a log may hold ten thousand.
const maxCompared = 16

func commonIDs(a, b []stackparse.Goroutine) int {
	ids := make(map[uint64]bool, len(a))
	for i := range a {
		ids[a[i].ID] = true
	}
	n := 0
	for i := range b {
		if ids[b[i].ID] {
			n++
		}
	}
	return n
}

// waitTitle writes "pkg.(*T).M waits for a connection (file.go:12)", dropping what does not fit: the package first,
// then the line.
func waitTitle(culprit rules.Place, act string) string {
	name, bare, at := rules.TitleParts(culprit)
	if name == "" {
		name, bare = "unknown code", "unknown code"
	}
	return rules.FirstTitle(phrase.CutTitle(bare+" "+act), name+" "+act+at, bare+" "+act+at, bare+" "+act)
}

// waitClasses are the classes of goroutines that wait for someone else.
func waitClasses() []stackparse.Class {
	return append(peerClasses(), stackparse.ClassIO, stackparse.ClassSleep, stackparse.ClassSyscall,
		stackparse.ClassCgo)
}
