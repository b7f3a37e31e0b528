package logs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of a loop. Measured on three healthy bundles of 391,000 lines (an OpenShift install of 23 minutes, a Harvester
// node of 16 days, troubleshoot's own): nothing about one named object came at under maxLoopPeriod for longer than 5.1
// minutes, save health checks, access logs and a poll every 5.0 s that varies by 3%; the loops that bundles are sent
// in for come one to three times a second for hours.
const (
	minLoopSpan   = 10 * time.Minute
	minLoopCount  = 150
	maxLoopPeriod = 4 * time.Second
	// maxLoopNews is the share of lines whose content may be new: a count that goes up once a minute is no progress.
	maxLoopNews = 0.05
	// maxLoopVariation is the deviation of the gaps between rounds in percent of their mean: events that have nothing
	// to do with each other have 100; what healthy logs repeat on demand has 130 and more.
	maxLoopVariation = 125
	// certainLoop is the number of lines from which on chance is out of the question and the severity high: ten minutes
	// at one every two seconds.
	certainLoop = 300
	// A timer has whole seconds and keeps them: Harvester's poll every 5 s came every 5.029 s and varied by 3 %. One of
	// a second does so by half of that, and says that it looks for something.
	timerVariation, quickVariation = 6, 3
	timerOff                       = 0.03
	minTimer, quickTimer           = 2 * time.Second, time.Second
	// A quicker loop needs less time where the log ends with it. Collectors cut logs at 10,000 lines (troubleshoot),
	// and of a loop at 30 a second that is five minutes; an install's ten a second for four minutes are fewer.
	minFastSpan, minFastCount = 270 * time.Second, 4000
	fastLogEnd                = 15 * time.Second
	// alikePeers is how many other objects of a pattern at half the rate or more make it a poll over all of them.
	alikePeers = 3
	// maxLoopLines bounds the lines of a log that are compared with each other; what is hostile could have thousands.
	maxLoopLines = 200
	// maxLoops is how many objects of one log are reported in findings of their own: those with most lines.
	maxLoops = 3
)

// A loop is what one log says about one object over and over.
type loop struct {
	lines  []logSeen     // most frequent first
	object *rules.Object // nil where the lines name none

	severity   rules.Severity // "" for none
	confidence rules.Confidence
	against    string // what speaks for another reason, "" for nothing
}

// reconcileLoops is reconcile-loop (TR700).
func reconcileLoops(in *source) []rules.Finding {
	var found []rules.Finding
	loops := loopsOf(in)
	for i := range loops[:min(len(loops), maxLoops)] {
		if loops[i].severity == "" {
			continue
		}
		f := loops[i].finding()
		if i == 0 && len(loops) > maxLoops {
			f.Notes = append(f.Notes, fmt.Sprintf("%d more objects recur in this log, among them %s.",
				len(loops)-maxLoops, loops[maxLoops].who()))
		}
		found = append(found, f)
	}
	return found
}

// loopsOf finds what repeats in a log, joined to one loop an object, most lines first.
func loopsOf(in *source) []loop {
	var seen []logSeen
	for _, p := range in.Patterns {
		if p.Sign != logpattern.SignNone && p.Sign != logpattern.SignRequeued || p.Level >= logpattern.LevelError {
			continue
		}
		for _, o := range p.Objects {
			if repeatsIdly(in, p, o) {
				seen = append(seen, logSeen{in, p, o})
			}
		}
	}
	var loops []loop
	for _, s := range mostFrequent(seen) {
		if i := slices.IndexFunc(loops, func(l loop) bool { return l.with(s) }); i >= 0 {
			loops[i].add(s)
		} else {
			loops = append(loops, loop{lines: []logSeen{s}, object: logObject(s.p, s.o)})
		}
	}
	for i := range loops {
		loops[i].judge()
	}
	slices.SortStableFunc(loops, func(a, b loop) int { // those that name an object and speak of work come first
		return cmp.Or(b.severity.Rank()-a.severity.Rank(), b.confidence.Rank()-a.confidence.Rank(),
			cmp.Compare(b.lines[0].o.Run().Count, a.lines[0].o.Run().Count))
	})
	return loops
}

// mostFrequent are the lines with the longest runs, at most maxLoopLines.
func mostFrequent(seen []logSeen) []logSeen {
	slices.SortStableFunc(seen, func(a, b logSeen) int { return cmp.Compare(b.o.Run().Count, a.o.Run().Count) })
	return seen[:min(len(seen), maxLoopLines)]
}

// repeatsIdly reports whether an object's lines come as a loop's do.
func repeatsIdly(in *source, p *logpattern.Pattern, o *logpattern.Object) bool {
	r := o.Run()
	long := r.Count >= minLoopCount && r.Span() >= minLoopSpan ||
		o.Name != "" && r.Count >= minFastCount && r.Span() >= minFastSpan && in.Last.Sub(r.Last) <= fastLogEnd
	return long && max(r.Period(), r.Round) <= maxLoopPeriod && o.Gaps().VariationPercent <= maxLoopVariation &&
		float64(o.News) <= max(4, maxLoopNews*float64(o.Count)) && !o.Gaps().Growing &&
		saysSomething(p) && !complains(p)
}

// complains leaves out failures that are not logged as such: a kernel's, a shell's. What repeats there is no work.
func complains(p *logpattern.Pattern) bool {
	return phrase.ContainsOne(strings.ToLower(p.Template), "error", "fail", "unable to", "could not", "cannot",
		"refused", "timed out", "timeout", "denied")
}

// saysSomething leaves out what is no sentence: rows of tables, frames of stacks.
func saysSomething(p *logpattern.Pattern) bool {
	letters := 0
	for _, c := range strings.ReplaceAll(p.Template, "<*>", "") {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			letters++
		}
	}
	return letters >= 3
}

// with reports whether lines are a part of the loop: they name the same object.
func (l *loop) with(s logSeen) bool {
	a, b := l.object, logObject(s.p, s.o)
	return a != nil && b != nil && a.Name == b.Name && (a.Namespace == "" || b.Namespace == "" ||
		a.Namespace == b.Namespace || a.Kind != b.Kind)
}

// add adds lines, and what they say of the object: its namespace and kind.
func (l *loop) add(s logSeen) {
	l.lines = append(l.lines, s)
	a, b := *l.object, logObject(s.p, s.o)
	if b.API != "" && a.API == "" || a.Kind == "" {
		a.Kind, a.API = b.Kind, b.API
	}
	a.Namespace = cmp.Or(a.Namespace, b.Namespace)
	l.object = &a
}

// who names the loop's object, or its words.
func (l *loop) who() string {
	if l.object != nil {
		return objectTitle(*l.object)
	}
	return phrase.Quoted(l.lines[0].p.Template)
}

// certainObject reports whether the object is one of Kubernetes', by its kind and its name, and no word behind another.
func (l *loop) certainObject() bool {
	o := l.object
	switch {
	case o == nil:
		return false
	case o.Namespace != "":
		return true
	case o.API == "":
		return false
	}
	switch o.Kind {
	case "Service", "Job", "Node", "Namespace", "Role", "Secret", "Application", "Certificate", "Lease", "Endpoints":
		return strings.ContainsAny(o.Name, "-.0123456789") // words of other trades too
	}
	return true
}

// timer reports whether the rounds come by a timer of whole seconds.
func (l *loop) timer() bool {
	r := l.lines[0].o
	period := r.Run().Round
	switch {
	case period < quickTimer-quickTimer/20, r.Gaps().VariationPercent > timerVariation,
		period < minTimer-minTimer/20 && (r.Gaps().VariationPercent > quickVariation || l.says(controllerWords) ||
			!l.says(pollWords)):
		return false
	}
	whole := period.Round(time.Second)
	off := float64(period-whole) / float64(whole)
	return off < timerOff && off > -timerOff
}

// debug reports whether all lines are of a level that is off as a rule.
func (l *loop) debug() bool {
	return !slices.ContainsFunc(l.lines, func(s logSeen) bool { return s.p.Level != logpattern.LevelDebug })
}

// peers counts the other objects of the pattern at half the rate or more.
func (l *loop) peers() int {
	most := 0
	for _, s := range l.lines {
		n := 0
		for _, o := range s.p.Objects {
			if o != s.o && o.Name != "" && o.Run().Count*2 >= s.o.Run().Count &&
				o.Run().Period() <= 2*s.o.Run().Period() {
				n++
			}
		}
		if s.p == l.lines[0].p || n > most {
			most = n
		}
	}
	return most
}

// versions reports whether the object's resourceVersion moves with the rounds.
func (l *loop) versions() bool {
	return slices.ContainsFunc(l.lines, func(s logSeen) bool { return s.o.Versions })
}

// judge decides what the loop is; its severity stays "" where it is none.
func (l *loop) judge() {
	most := l.lines[0].o.Run().Count
	if !l.controls() && !l.certainObject() && (l.object == nil || !l.says(actionWords)) {
		return
	}
	l.severity, l.confidence = rules.Medium, rules.ConfMedium
	switch {
	case l.timer():
		l.against = "Rounds start at whole seconds: this may be intended polling."
	case !l.controls() && !(l.certainObject() && l.says(actionWords)):
		l.against = "Nothing in the lines is typical of a controller: this may be regular work."
	case l.peers() >= alikePeers && !l.idle():
		l.against = fmt.Sprintf("%d other objects appear about as often: the process may poll them in turn.", l.peers())
	case l.object == nil, l.debug() && !l.idle(), most < certainLoop, l.lines[0].o.Run().Span() < minLoopSpan:
	case l.idle() || l.versions() || len(l.lines) > 1:
		l.severity, l.confidence = rules.High, rules.ConfHigh
	default:
		l.severity = rules.High
	}
	if l.against != "" {
		l.confidence = rules.ConfLow
	}
}

func (l *loop) finding() rules.Finding {
	first := l.lines[0]
	run := first.o.Run()
	act, alone := "is handled %s for %s while nothing changes", "The log of "+first.writer()
	if l.object == nil {
		act = "repeats itself %s for %s"
	}
	f, who := first.begin("TR700", l.object, alone, first.p.Template, run.Count, run.First, run.Last)
	f.Severity, f.Confidence, f.Actors = l.severity, l.confidence, first.actors()
	f.Title = logTitle(who, fmt.Sprintf(act, rhythm(run.Period()), lasting(run.Span())))
	for _, s := range l.lines[:min(len(l.lines), maxLogEvidence)] {
		f.Evidence = append(f.Evidence, s.evidence(&s.o.Repeats, 0))
	}
	f.Why, f.Notes = l.why(), l.notes()
	if l.against != "" {
		f.Doubt(l.against)
	}
	f.Fix = "Compare two versions of the object, find the changed field that starts the next round, and stop that " +
		"change."
	f.Next = first.next(l.object)
	return f
}

func (l *loop) why() string {
	first := l.lines[0]
	run := first.o.Run()
	about := "the same message"
	if l.object != nil {
		about = "the same message about " + objectTitle(*l.object)
	}
	s := fmt.Sprintf("%s logs %s %s times, %s: only timestamps and ids differ.", first.writer(), about,
		phrase.Number(run.Count), rhythm(run.Period()))
	switch {
	case l.idle():
		return s + " The lines themselves say that there is nothing to do."
	case l.versions():
		return s + " Only the resourceVersion changes: each round writes the object."
	}
	return s + " A controller with nothing to do is silent until its resync, minutes to hours later."
}

func (l *loop) notes() []string {
	var notes []string
	if first := l.lines[0]; first.o.News > 2 {
		notes = append(notes, fmt.Sprintf("Only %s of them say something new.", phrase.Number(first.o.News-1)))
	}
	if l.object != nil && l.object.Kind == "" {
		notes = append(notes, "The lines don't name the object's kind.")
	}
	return notes
}
