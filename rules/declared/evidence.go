package declared

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
)

// An Ask is a condition on one kind of evidence.
type Ask struct {
	// When is a condition in the expr language over one object, log pattern, kind of request or sample.
	When string `yaml:"when"`
	// Count bounds what one finding is about: objects of one owner, log lines of one process, requests of one user for
	// one resource, samples of one process.
	Count match.Range `yaml:"count"`
}

// An ObjectsAsk is a condition on Kubernetes objects.
type ObjectsAsk struct {
	// Kind is the kind of the objects: Pod, Certificate. Without one the condition is asked of all objects.
	Kind string `yaml:"kind"`
	Ask  `yaml:",inline"`
}

// An evidence is one kind of evidence as conditions see it, one thing at a time.
type evidence struct {
	field string // of RuleDef, "" for dumps
	needs rules.Needs
	env   any // a pointer to what conditions see of one thing
	ask   Ask
	// see calls found for each thing that the rule's condition holds for.
	see func(c *declared, p *rules.Pass, found func(sight))
}

// evidenceOf is what a rule looks at that is not about profiles.
func evidenceOf(def *RuleDef) evidence {
	switch o := def.Objects; {
	case o != nil:
		return evidence{"objects", rules.NeedsObjects, &ObjectEnv{}, o.Ask, seeObjects}
	case def.Logs != nil:
		return evidence{"logs", rules.NeedsLogs, &LogEnv{}, *def.Logs, seeLogs}
	case def.Audit != nil:
		return evidence{"audit", rules.NeedsAudit, &AuditEnv{}, *def.Audit, seeRequests}
	case def.Metrics != nil:
		return evidence{"metrics", rules.NeedsMetrics, &MetricEnv{}, *def.Metrics, seeMetrics}
	}
	needs, _ := parseNeeds(def.Needs)
	return evidence{"", needs, &Env{}, Ask{When: def.When}, seeGoroutines}
}

// checks are the faults that the condition may have besides those of the language.
func (e *evidence) checks() []check {
	if e.field == "" {
		return nil
	}
	n := e.ask.Count
	return []check{
		{e.field + ".when", e.ask.When == "", "missing: a condition"},
		{e.field + ".count", n.Min < 0 || n.Max < 0 || n.Max > 0 && n.Max < n.Min, "no number is within these bounds"},
	}
}

// A sight is one thing that a rule's condition holds for.
type sight struct {
	group   string // sights of one group are one finding
	count   int    // goroutines, lines, requests …
	minutes int
	env     any      // what texts are filled in with
	words   []string // placeholders with what they stand for, by turns, before those of env
	// finding begins the group's finding: culprit or object, path, actors, times.
	finding  rules.Finding
	evidence func() rules.Evidence
	owner    *rules.Object // what the finding is about where the group has several objects; nil for none
	target   rules.Target
}

// A group is the sights of one finding.
type group struct {
	sights         []sight // the first rules.MaxEvidence of seen
	seen           int
	count, minutes int
}

func (g *group) add(s sight) {
	g.seen++
	g.count += s.count
	g.minutes = max(g.minutes, s.minutes)
	if len(g.sights) < rules.MaxEvidence {
		g.sights = append(g.sights, s)
	}
}

// maxFindings bounds the findings of one rule, but for those about dumps, of which equal ones become one: those with
// the greatest counts.
const maxFindings = 50

// run is the Rule's Run.
func (c *declared) run(p *rules.Pass) []rules.Finding {
	groups := map[string]*group{}
	var order []*group
	c.see(c, p, func(s sight) {
		g := groups[s.group]
		if g == nil {
			g = &group{}
			groups[s.group] = g
			order = append(order, g)
		}
		g.add(s)
	})
	order = slices.DeleteFunc(order, func(g *group) bool { return !c.ask.Count.Holds(g.count) })
	more := len(order) - maxFindings
	if c.field == "" {
		more = 0
	}
	if more > 0 {
		slices.SortStableFunc(order, func(a, b *group) int { return cmp.Compare(b.count, a.count) })
		order = order[:maxFindings]
	}
	found := make([]rules.Finding, 0, len(order))
	for _, g := range order {
		found = append(found, c.finding(g))
	}
	if more > 0 {
		found[0].Notes = append(found[0].Notes, "The rule holds in "+phrase.Count(more, "more place")+
			", which are not listed.")
	}
	return found
}

func (c *declared) finding(g *group) rules.Finding {
	first := &g.sights[0]
	f := first.finding
	var objects []rules.Object
	for _, s := range g.sights {
		if o := s.finding.Object; o != nil && !slices.Contains(objects, *o) {
			objects = append(objects, *o)
		}
		if s.finding.FirstSeen != "" {
			f.FirstSeen = min(cmp.Or(f.FirstSeen, s.finding.FirstSeen), s.finding.FirstSeen)
		}
		f.LastSeen = max(f.LastSeen, s.finding.LastSeen)
	}
	if len(objects) > 1 {
		f.Object, f.Objects = first.owner, objects
	}
	text := strings.NewReplacer(slices.Concat(g.words(&f), first.words, envWords(first.env))...)
	f.Severity, f.Confidence, f.Count = c.def.Severity, c.def.Confidence, g.count
	f.Title = phrase.CutTitle(text.Replace(c.words.Title))
	f.Why, f.Fix = text.Replace(c.words.Why), text.Replace(c.words.Fix)
	for _, s := range g.sights {
		f.Evidence = append(f.Evidence, s.evidence())
	}
	for _, cmd := range c.words.Next {
		if (c.field == "objects" || c.field == "audit") && !first.target.Known() {
			break // they are about processes, and this is none
		}
		f.Next = rules.AddSteps(f.Next, cmd(first.target)...)
	}
	return f
}

// words are the placeholders that are about all sights of the group.
func (g *group) words(f *rules.Finding) []string {
	waiting := ""
	if g.minutes != 0 {
		waiting = " for at least " + phrase.CountMinutes(uint32(g.minutes))
	}
	words := []string{"{count}", strconv.Itoa(g.count), "{goroutines}", phrase.CountGoroutines(g.count),
		"{minutes}", strconv.Itoa(g.minutes), "{waiting}", waiting}
	switch {
	case len(f.Objects) > 0 && f.Object != nil:
		words = append(words, "{object}", f.Object.Text())
	case len(f.Objects) > 0:
		words = append(words, "{object}", f.Objects[0].Text()+" and others")
	}
	return words
}

// maxWord bounds what one placeholder puts into a text.
const maxWord = 120

// envWords are the words of a condition that are one value each, as placeholders, with their values.
func envWords(env any) []string {
	var words []string
	v := reflect.ValueOf(env).Elem()
	for i := range v.NumField() {
		text, single := "", true
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			text = numberText(f.Float())
		case reflect.String, reflect.Int, reflect.Bool:
			text = fmt.Sprint(f.Interface())
		default:
			single = false
		}
		if single {
			text = phrase.Cut(strings.Map(printable, text), maxWord)
			words = append(words, "{"+v.Type().Field(i).Tag.Get("expr")+"}", text)
		}
	}
	return words
}

func numberText(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return phrase.Number(int64(x))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// printable replaces what does not show: texts of inputs may be hostile.
func printable(r rune) rune {
	if unicode.IsPrint(r) && !rules.IsBidi(r) {
		return r
	}
	return ' '
}

// aboutProcess begins a finding about the process that an input is of: its pod, as far as that is known.
func aboutProcess(rule, input string, t rules.Target) rules.Finding {
	about := rules.Object{Kind: "Input", Name: input}
	var f rules.Finding
	if t.Pod != "" {
		f.Object = &rules.Object{API: "v1", Kind: "Pod", Namespace: t.Namespace, Name: t.Pod}
		about = rules.Object{Kind: t.Container, Namespace: t.Namespace, Name: t.Pod}
	}
	f.Fingerprint = rules.FingerprintObject(rule, about)
	return f
}

// processName names the process that an input is of in a sentence: "shop/web-0 (app)", or the file.
func processName(input string, t rules.Target) string {
	if t.Pod == "" {
		return path.Base(input)
	}
	return strings.TrimPrefix(t.Namespace+"/"+t.Pod, "/") + phrase.InBrackets(t.Container)
}
