package declared

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
)

// A RuleDef is a declarative rule as it is written in YAML. It is about one kind of evidence: goroutines (Match, When),
// profiles (HotspotDef), Objects, Logs, Audit or Metrics. About goroutines it fires on every bucket for which one of
// Match and When hold, once for each culprit and creator of a dump.
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
	When    string      `yaml:"when"`
	Objects *ObjectsAsk `yaml:"objects"` // over ObjectEnv
	Logs    *Ask        `yaml:"logs"`    // over LogEnv
	Audit   *Ask        `yaml:"audit"`   // over AuditEnv
	Metrics *Ask        `yaml:"metrics"` // over MetricEnv
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

// A declared is a RuleDef that is not about profiles, ready for use.
type declared struct {
	evidence
	def   *RuleDef
	words *hotspot.Words
	m     *match.Patterns
	progs []*match.MatchProg
	when  *condition
	types []string // of the conditions of objects that When names
	// blames says that When may ask for Culprit or Own.
	blames bool
}

// compileRule checks def and makes it a Rule; errors are match.FieldErrors. The declared is nil for a rule about
// profiles.
func compileRule(def *RuleDef) (r *rules.Rule, c *declared, err error) {
	if err := checkRule(def); err != nil {
		return nil, nil, err
	}
	if def.Kind == "" {
		if c, err = compileDeclared(def); err != nil {
			return nil, nil, err
		}
	}
	w, err := compileWords(def)
	if err != nil {
		return nil, nil, err
	}
	r = declarative(def)
	doc := docOf(def, w)
	r.Docs = func() rules.Doc { return doc }
	return r, c, nil
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
	r.Needs = evidenceOf(def).needs
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

// compileDeclared makes a def that is not about profiles ready; errors are match.FieldErrors.
func compileDeclared(def *RuleDef) (*declared, error) {
	if _, err := parseNeeds(def.Needs); err != nil {
		return nil, &match.FieldError{Field: "needs", Err: err}
	}
	c := &declared{evidence: evidenceOf(def), def: def, m: match.NewPatterns()}
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
	if when := c.ask.When; when != "" {
		if c.when, err = compileCondition(when, c.env); err != nil {
			return nil, &match.FieldError{Field: strings.TrimPrefix(c.field+".when", "."), Err: err}
		}
		c.types = conditionTypes(when)
		c.blames = strings.Contains(when, "culprit") || strings.Contains(when, "own")
	}
	c.words, err = compileWords(def)
	return c, err
}

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
			"an id must be capital letters and a number of at least three digits, such as ACME001"},
		{"name", !rules.IsKebab(def.Name), "a name must be kebab-case, such as stuck-upload"},
		{"category", !slices.Contains(rules.Categories(), def.Category),
			fmt.Sprintf("unknown category %q; the categories are %s", def.Category, match.Join(rules.Categories()))},
		{"severity", def.Severity.Rank() < 0,
			fmt.Sprintf("unknown severity %q; the severities are critical, high, medium, low, info", def.Severity)},
		{"confidence", def.Confidence.Rank() < 0,
			fmt.Sprintf("unknown confidence %q; the confidences are high, medium, low", def.Confidence)},
		{"finds", def.Finds == "", "missing: one line that says what the rule finds"},
		{"title", def.Title == "", "missing: a finding's title, with placeholders such as {culprit}"},
		{"why", def.Why == "", "missing: how the evidence leads to the claim"},
		{"fix", def.Fix == "", "missing: what to do"},
		{"false_positives", def.FalsePositives == "", "missing: when the rule is wrong"},
	}
	if def.Kind != "" {
		checks = append(checks, profileChecks(def)...)
	}
	e := evidenceOf(def)
	checks = append(slices.Insert(checks, 5, oneSubject(def)), e.checks()...)
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

// oneSubject is the fault of a rule about several kinds of evidence, or about none.
func oneSubject(def *RuleDef) check {
	about := ""
	for _, s := range []struct {
		field   string
		given   bool
		subject string
	}{
		{"profile", def.Kind != "", "profiles"}, {"objects", def.Objects != nil, "objects"},
		{"logs", def.Logs != nil, "logs"}, {"audit", def.Audit != nil, "audit logs"},
		{"metrics", def.Metrics != nil, "metrics"}, {"match", len(def.Match) > 0, "dumps"},
		{"when", def.When != "", "dumps"}, {"needs", len(def.Needs) > 0, "dumps"},
	} {
		switch {
		case !s.given:
		case about != "" && about != s.subject:
			return check{s.field, true, s.field + " is for " + s.subject + ", but this rule is about " + about}
		default:
			about = s.subject
		}
	}
	return check{"match", about == "" || about == "dumps" && len(def.Match) == 0 && def.When == "",
		"a rule needs match or when, or one of profile, objects, logs, audit and metrics"}
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
