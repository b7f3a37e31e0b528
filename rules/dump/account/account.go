// Package account writes findings about dumps: the texts of each package's rules are in a Markdown file beside them,
// and rules fill in what they know.
package account

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
)

// An Account is what a rule reports. Empty fields fall back to the rule's.
type Account struct {
	Category   rules.Category
	Severity   rules.Severity
	Confidence rules.Confidence
	Act        string // what the culprit does, the title's verb phrase: "dereferences a nil pointer"
	Why, Fix   string
	Next       []rules.Step
	Evidence   []rules.Evidence
	Notes      []string
	Against    []string // what speaks for another reason: the doubt, filled in
}

// A Doubt is what a dump shows that speaks for another reason than the one that a finding gives: a sentence of
// Finding.Against, which may have {names} in it. "" is none.
type Doubt string

// Confidence is how sure a finding is with a doubt, or without one: proven reports that a stack itself shows what is
// claimed, or several dumps do.
func (d Doubt) Confidence(proven bool) rules.Confidence {
	switch {
	case d != "":
		return rules.ConfLow
	case proven:
		return rules.ConfHigh
	}
	return rules.ConfMedium
}

// Facts are what a rule knows when it chooses and fills in its texts.
type Facts struct {
	Text   string   // what conditions in quotes are looked for in
	Cases  []string // the other conditions that hold
	Values Values
	Target rules.Target // for steps
	Doubt  Doubt
}

// Values replace {names} in texts.
type Values map[string]string

// A Book holds the texts of rules by name.
type Book map[string][]Part

// A Part of a rule's texts applies under a condition; the first one of a rule always applies.
type Part struct {
	Condition string
	chain     int // of the parts of a chain the first whose condition holds applies
	fields    [][2]string
}

// Field is the text of the first field with a key, "" where there is none.
func (p *Part) Field(key string) string {
	for _, f := range p.fields {
		if f[0] == key {
			return f[1]
		}
	}
	return ""
}

// Parse reads a Markdown file of texts:
//
//	# closed-channel
//
//	- act: sends on a closed channel
//	- why: {who}{at} sent on a channel
//	  that was closed before.
//	- next: go test -race ./... # the step's comment
//
//	## "close of nil" or "close of closed"
//
//	- act: closes {what}
//
// A part under a second heading replaces the fields that it has where its condition holds: one of the quoted texts is
// in Facts.Text, or one of the other words in Facts.Cases. Of such parts the first one that holds counts; a heading
// that begins with "also" starts over. The field "more" adds a sentence to why; each "next" is a step: "@logs" and the
// like are commands by their rules.NextNames, "@inside" is a command that runs where the process runs, and "@" with
// another name means the steps under that heading. Lines that begin with > are remarks.
func Parse(text string) Book {
	b := Book{}
	rule := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		parts := b[rule]
		if name, ok := strings.CutPrefix(line, "# "); ok {
			rule = name
			b[rule] = []Part{{}}
		} else if condition, ok := strings.CutPrefix(line, "## "); ok {
			p := Part{chain: parts[len(parts)-1].chain}
			if p.Condition, ok = strings.CutPrefix(condition, "also "); ok {
				p.chain++
			}
			b[rule] = append(parts, p)
		} else if field, ok := strings.CutPrefix(line, "- "); ok {
			key, value, _ := strings.Cut(field, ": ")
			last := &parts[len(parts)-1]
			last.fields = append(last.fields, [2]string{key, value})
		} else if more := strings.TrimSpace(line); more != "" && !strings.HasPrefix(line, "> ") {
			fields := parts[len(parts)-1].fields
			fields[len(fields)-1][1] += " " + more
		}
	}
	return b
}

// Account writes the account of a rule.
func (b Book) Account(rule string, f Facts) Account {
	var pairs []string
	for name, value := range f.Values {
		pairs = append(pairs, "{"+name+"}", value)
	}
	fill := strings.NewReplacer(pairs...)
	var a Account
	taken := -1
	for i, p := range b[rule] {
		if i > 0 {
			if taken == p.chain || !f.hold(p.Condition) {
				continue
			}
			taken = p.chain
		}
		b.take(&a, p, &f, fill)
	}
	if f.Doubt != "" {
		a.Against = []string{sentence(fill.Replace(string(f.Doubt)))}
	}
	return a
}

// sentence begins a sentence about a goroutine with a capital; the name of a function keeps its first letter.
func sentence(s string) string {
	if strings.HasPrefix(s, "goroutine ") {
		return "G" + s[1:]
	}
	return s
}

// hold reports whether one of a condition's alternatives is met.
func (f *Facts) hold(condition string) bool {
	for one := range strings.SplitSeq(condition, " or ") {
		text, quoted := strings.CutPrefix(one, `"`)
		if quoted && strings.Contains(f.Text, strings.TrimSuffix(text, `"`)) || slices.Contains(f.Cases, one) {
			return true
		}
	}
	return false
}

// take replaces those fields of a that p has.
func (b Book) take(a *Account, p Part, f *Facts, fill *strings.Replacer) {
	var next []rules.Step
	for _, field := range p.fields {
		text, comment, _ := strings.Cut(field[1], " # ")
		value := fill.Replace(text)
		switch field[0] {
		case "act":
			a.Act = value
		case "why":
			a.Why = sentence(value)
		case "more":
			a.Why += " " + value
		case "fix":
			a.Fix = value
		case "next":
			next = append(next, b.steps(value, fill.Replace(comment), f)...)
		}
	}
	if next != nil {
		a.Next = next
	}
}

// steps returns the steps of a field: one command, or those that "@name" refers to.
func (b Book) steps(command, comment string, f *Facts) []rules.Step {
	name, ok := strings.CutPrefix(command, "@")
	if !ok {
		return []rules.Step{rules.Command(command).Note(comment)}
	}
	name, more, _ := strings.Cut(name, " ")
	if name == "inside" {
		inside, then, piped := strings.Cut(more, " | ")
		if piped {
			then = "| " + then
		}
		return []rules.Step{f.Target.Inside(inside, then).Note(comment)}
	}
	commands := rules.NextCommand(name)
	if commands == nil {
		return b.Account(name, *f).Next
	}
	all := commands(f.Target)
	if len(all) == 0 {
		return nil
	}
	if last := &all[len(all)-1]; more != "" {
		*last = last.With(more)
	}
	if comment != "" {
		all[0].Comment = comment
	}
	return all
}
