package declared

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// words are the texts of a declarative rule, ready to be filled in.
type words struct {
	title, why, fix template
	next            []func(rules.Target) []rules.Step
}

// compileWords reads def's texts, whose placeholders are of known; errors are match.FieldErrors.
func compileWords(def *RuleDef, known []placeholder) (w words, err error) {
	for _, t := range []struct {
		field, text string
		to          *template
	}{{"title", def.Title, &w.title}, {"why", def.Why, &w.why}, {"fix", def.Fix, &w.fix}} {
		if *t.to, err = parseTemplate(t.text, known); err != nil {
			return w, &match.FieldError{Field: t.field, Err: err}
		}
	}
	for i, name := range def.Next {
		cmd := rules.NextCommand(name)
		if cmd == nil {
			return w, &match.FieldError{Field: fmt.Sprintf("next[%d]", i), Err: fmt.Errorf("unknown command %q; the commands are %s",
				name, strings.Join(rules.NextNames(), ", "))}
		}
		w.next = append(w.next, cmd)
	}
	return w, nil
}

// doc is the rule's documentation.
func (w *words) doc(def *RuleDef) rules.Doc {
	return rules.Doc{
		Title: def.Finds, Why: w.why.plain(), Fix: w.fix.plain(), FalsePositives: strings.TrimSpace(def.FalsePositives),
		Refs: def.Refs, Since: def.Since,
	}
}
