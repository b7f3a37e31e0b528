package declared

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A RuleDef is a declarative rule as it is written in YAML. It fires on every bucket for which one of Match and When
// hold, once for each culprit and creator of a dump.
type RuleDef struct {
	ID         string           `yaml:"id"`
	Name       string           `yaml:"name"`
	Category   rules.Category   `yaml:"category"`
	Severity   rules.Severity   `yaml:"severity"`
	Confidence rules.Confidence `yaml:"confidence"`
	// Needs is what it looks at: "dump" (the default), and besides "cause" for dumps that say why they were printed.
	Needs []string      `yaml:"needs"`
	Match []match.Match `yaml:"match"`
	// When is a condition in the expr language over Env.
	When string `yaml:"when"`
	// Finds says what the rule finds, one line. Title is a finding's title, with placeholders: "{culprit} waits".
	Finds          string   `yaml:"finds"`
	Title          string   `yaml:"title"`
	Why            string   `yaml:"why"` // placeholders too
	Fix            string   `yaml:"fix"` // placeholders too
	FalsePositives string   `yaml:"false_positives"`
	Next           []string `yaml:"next"` // of rules.NextNames: "dump", "logs", …
	Refs           []string `yaml:"refs"`
	Since          string   `yaml:"since"`

	// What follows is for rules about profiles, instead of Needs, Match and When.
	hotspot.HotspotDef `yaml:",inline"`
}

// Env is what a `when:` condition sees of a bucket and its dump.
type Env struct {
	Count   int        `expr:"count"` // goroutines of the bucket
	Share   float64    `expr:"share"` // of all goroutines of the dump, 0 to 1
	Minutes EnvMinutes `expr:"minutes"`
	State   string     `expr:"state"` // of its first goroutine
	Class   string     `expr:"class"`
	// Top is the first shown function, Culprit the one to blame, Root the outermost, Creator the one with the go
	// statement ("" for main): names as the runtime prints them.
	Top      string `expr:"top"`
	Culprit  string `expr:"culprit"`
	Root     string `expr:"root"`
	Creator  string `expr:"creator"`
	Role     string `expr:"role"` // "" where it has none
	Idle     bool   `expr:"idle"` // its role may wait for ever
	Own      bool   `expr:"own"`  // code of the program's own module is on the stack
	Main     bool   `expr:"main"` // it is the main goroutine
	Leaked   bool   `expr:"leaked"`
	Locked   bool   `expr:"locked"`
	Depth    int    `expr:"depth"`    // shown frames
	Runnable int    `expr:"runnable"` // goroutines of the bucket that run or could
	// Goroutines, Go and Cause are of the dump: how many it has, the release that wrote it, why it was printed.
	Goroutines int    `expr:"goroutines"`
	Go         string `expr:"go"`
	Cause      string `expr:"cause"`
}

// EnvMinutes is the span of waiting times that a bucket's headers show, 0 where they show none.
type EnvMinutes struct {
	Min int `expr:"min"`
	Max int `expr:"max"`
}

// A declared is a RuleDef about dumps, ready for use.
type declared struct {
	def   *RuleDef
	words *hotspot.Words
	m     *match.Patterns
	progs []*match.MatchProg
	when  *vm.Program
	// blames says that When may ask for Culprit or Own.
	blames bool
}

// compileRule checks def and makes it a Rule; errors are match.FieldErrors.
func compileRule(def *RuleDef) (*rules.Rule, error) {
	if err := checkRule(def); err != nil {
		return nil, err
	}
	if def.Kind == "" {
		if _, err := compileDeclared(def); err != nil {
			return nil, err
		}
	}
	w, err := compileWords(def)
	if err != nil {
		return nil, err
	}
	r := declarative(def)
	doc := docOf(def, w)
	r.Docs = func() rules.Doc { return doc }
	return r, nil
}

// declarative makes a Rule of a def without faults, which is compiled when the rule has something to look at: most
// rules of a run have not.
func declarative(def *RuleDef) *rules.Rule {
	r := &rules.Rule{ID: def.ID, Name: def.Name, Category: def.Category, Severity: def.Severity}
	r.Docs = func() rules.Doc {
		w, err := compileWords(def)
		if err != nil {
			return rules.Doc{} // compileRule found no fault in them
		}
		return docOf(def, w)
	}
	if def.Kind != "" {
		profileRule(r, def)
		return r
	}
	r.Needs, _ = parseNeeds(def.Needs)
	compiled := sync.OnceValues(func() (*declared, error) { return compileDeclared(def) })
	r.Run = func(p *rules.Pass) []rules.Finding {
		c, err := compiled()
		if err != nil {
			return nil
		}
		return c.run(p)
	}
	return r
}

// compileDeclared makes a def about dumps ready; errors are match.FieldErrors.
func compileDeclared(def *RuleDef) (*declared, error) {
	if _, err := parseNeeds(def.Needs); err != nil {
		return nil, &match.FieldError{Field: "needs", Err: err}
	}
	c := &declared{def: def, m: match.NewPatterns()}
	for i := range def.Match {
		field := fmt.Sprintf("match[%d]", i)
		p, err := c.m.Compile(&def.Match[i])
		if err != nil {
			return nil, match.InField(field, err)
		}
		if p.Empty() {
			return nil, match.Fault(field, "an empty condition holds for every goroutine")
		}
		c.progs = append(c.progs, p)
	}
	var err error
	if def.When != "" {
		c.when, err = expr.Compile(def.When, expr.Env(&Env{}), expr.AsBool(), expr.DisableBuiltin("now"))
		if err != nil {
			return nil, &match.FieldError{Field: "when", Err: conditionError(err)}
		}
		c.blames = strings.Contains(def.When, "culprit") || strings.Contains(def.When, "own")
	}
	c.words, err = compileWords(def)
	return c, err
}

// conditionError keeps the message of the condition's compiler without its own drawing of the line.
func conditionError(err error) error {
	if fe, ok := errors.AsType[*file.Error](err); ok {
		return &messageError{fe.Message, err}
	}
	return err
}

// A messageError prints a message and unwraps to what it came from.
type messageError struct {
	text string
	err  error
}

func (e *messageError) Error() string { return e.text }
func (e *messageError) Unwrap() error { return e.err }

// A check is one fault that a field of a RuleDef may have.
type check struct {
	field string
	bad   bool
	fault string
}

// checkRule reports the first fault of def besides its conditions on stacks and its texts, a match.FieldError.
func checkRule(def *RuleDef) error {
	checks := []check{
		{"id", !rules.IsID(def.ID),
			"an id is capital letters and a number of at least three digits: ACME001"},
		{"name", !rules.IsKebab(def.Name), "a name is kebab-case: stuck-upload"},
		{"category", !slices.Contains(rules.Categories(), def.Category),
			fmt.Sprintf("unknown category %q; the categories are %s", def.Category, match.Join(rules.Categories()))},
		{"severity", def.Severity.Rank() < 0,
			fmt.Sprintf("unknown severity %q; the severities are critical, high, medium, low, info", def.Severity)},
		{"confidence", def.Confidence.Rank() < 0,
			fmt.Sprintf("unknown confidence %q; they are high, medium, low", def.Confidence)},
		{"match", def.Kind == "" && len(def.Match) == 0 && def.When == "",
			"a rule needs match or when, or profile and stacks"},
		{"finds", def.Finds == "", "missing: one line that says what the rule finds"},
		{"title", def.Title == "", "missing: a finding's title, with placeholders such as {culprit}"},
		{"why", def.Why == "", "missing: how the evidence leads to the claim"},
		{"fix", def.Fix == "", "missing: what to do"},
		{"false_positives", def.FalsePositives == "", "missing: when the rule is wrong"},
	}
	if def.Kind != "" {
		checks = append(checks, profileChecks(def)...)
	}
	for _, c := range checks {
		if c.bad {
			return match.Fault(c.field, "%s", c.fault)
		}
	}
	if def.Kind == "" {
		return nil
	}
	for i := range def.Stacks {
		if err := def.Stacks[i].Check(); err != nil {
			return match.InField(fmt.Sprintf("stacks[%d]", i), err)
		}
	}
	return nil
}

func parseNeeds(names []string) (rules.Needs, error) {
	n := rules.NeedsDump
	for _, name := range names {
		switch name {
		case "dump":
		case "cause":
			n |= rules.NeedsCause
		default:
			return 0, fmt.Errorf("unknown evidence %q; declarative rules look at: dump, cause", name)
		}
	}
	return n, nil
}

// run is the Rule's Run.
func (c *declared) run(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	x := match.NewIndex(c.m, frame.Program{})
	for _, d := range p.Dumps {
		if d.Goroutines > 0 {
			x = x.For(d.Program)
			found = append(found, c.runDump(x, d)...)
		}
	}
	return found
}

// A hit gathers the buckets of one culprit and creator: one finding.
type hit struct {
	blame   rules.Blame
	buckets []*stackparse.Bucket
	count   int
	minutes uint32
}

func (c *declared) runDump(x *match.Index, d *rules.DumpInput) []rules.Finding {
	var v match.View
	var machine vm.VM
	hits := map[string]*hit{}
	var order []string
	for i, b := range d.Buckets {
		if !c.matches(x, &v, d, b) {
			continue
		}
		if c.when != nil && !c.condition(&machine, d, i) {
			continue
		}
		bl := rules.BlameBucket(d, b)
		key := rules.Fingerprint(c.def.ID, bl.Culprit, bl.Creator)
		h := hits[key]
		if h == nil {
			h = &hit{blame: bl}
			hits[key] = h
			order = append(order, key)
		}
		h.buckets = append(h.buckets, b)
		h.count += b.Count
		h.minutes = max(h.minutes, b.MaxMinutes)
	}
	found := make([]rules.Finding, 0, len(order))
	for _, key := range order {
		found = append(found, c.finding(d, hits[key]))
	}
	return found
}

func (c *declared) matches(x *match.Index, v *match.View, d *rules.DumpInput, b *stackparse.Bucket) bool {
	if len(c.progs) == 0 {
		return true
	}
	looked := false
	for _, p := range c.progs {
		// What costs nothing is asked first, so that most buckets are passed over without a look at their frames.
		if !p.Likely(b) {
			continue
		}
		if !looked {
			v.Look(x, d.Dump, b)
			looked = true
		}
		if p.Holds(v) {
			return true
		}
	}
	return false
}

// condition evaluates When. A condition that fails at run time (an index out of range) does not hold.
func (c *declared) condition(machine *vm.VM, d *rules.DumpInput, bucket int) bool {
	env := envOf(d, bucket)
	if c.blames {
		bl := rules.BlameBucket(d, d.Buckets[bucket])
		env.Culprit = bl.Culprit.Function
		env.Own = slices.ContainsFunc(bl.Path, func(f rules.PathFrame) bool {
			return f.Class == frame.ClassOwn.String()
		})
	}
	out, err := machine.Run(c.when, &env)
	if err != nil {
		return false
	}
	holds, _ := out.(bool)
	return holds
}

// envOf is what a condition sees of a bucket, but for Culprit and Own, which cost more than the rest.
func envOf(d *rules.DumpInput, bucket int) Env {
	b := d.Buckets[bucket]
	env := Env{
		Count: b.Count, Minutes: EnvMinutes{int(b.MinMinutes), int(b.MaxMinutes)}, Class: string(b.Class),
		Leaked: b.Leaked, Depth: len(b.Shown),
		Goroutines: d.Goroutines, Go: d.Go,
	}
	if d.Goroutines > 0 {
		env.Share = float64(b.Count) / float64(d.Goroutines)
	}
	if d.Cause != nil {
		env.Cause = string(d.Cause.Kind)
	}
	if len(b.Shown) > 0 {
		env.Top = b.Frames[b.Shown[0]].Func
		env.Root = b.Frames[b.Shown[len(b.Shown)-1]].Func
	}
	if b.CreatedBy != nil {
		env.Creator = b.CreatedBy.Func
	}
	env.Main = isMain(b)
	if len(b.Goroutines) > 0 {
		env.State = d.StateOf(&b.Goroutines[0])
	}
	for i := range b.Goroutines {
		g := &b.Goroutines[i]
		env.Locked = env.Locked || g.Flags&stackparse.FlagLocked != 0
		if stackparse.Runnable(d.StateOf(g)) {
			env.Runnable++
		}
	}
	if role := d.RoleOf(bucket); role != nil {
		env.Role, env.Idle = role.Name, role.Idle
	}
	return env
}

// isMain reports the goroutine that runs main: nobody created it, and its outermost shown frame is package main's or
// an initialiser's.
func isMain(b *stackparse.Bucket) bool {
	if b.CreatedBy != nil || len(b.Shown) == 0 {
		return false
	}
	root := b.Frames[b.Shown[len(b.Shown)-1]].Func
	return root == "main.main" || root == "runtime.main" || strings.Contains(root, ".init")
}

func (c *declared) finding(d *rules.DumpInput, h *hit) rules.Finding {
	text := h.values(d)
	f := rules.Finding{
		Severity: c.def.Severity, Confidence: c.def.Confidence, Title: phrase.CutTitle(text.Replace(c.words.Title)),
		Culprit: h.blame.Culprit, Path: h.blame.Path, Creator: h.blame.Creator, Count: h.count,
		Why: text.Replace(c.words.Why), Fix: text.Replace(c.words.Fix),
	}
	for _, b := range h.buckets[:min(len(h.buckets), rules.MaxEvidence)] {
		f.Evidence = append(f.Evidence, rules.EvidenceOf(d, b, ""))
	}
	for _, cmd := range c.words.Next {
		f.Next = rules.AddSteps(f.Next, cmd(d.Target)...)
	}
	return f
}
