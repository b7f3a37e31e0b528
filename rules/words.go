package rules

import (
	"fmt"
	"strings"
)

// words are the texts of a declarative rule, ready to be filled in.
type words struct {
	title, why, fix template
	next            []func(Target) []string
}

// compileWords reads def's texts, whose placeholders are of known; errors are fieldErrors.
func compileWords(def *RuleDef, known []placeholder) (w words, err error) {
	for _, t := range []struct {
		field, text string
		to          *template
	}{{"title", def.Title, &w.title}, {"why", def.Why, &w.why}, {"fix", def.Fix, &w.fix}} {
		if *t.to, err = parseTemplate(t.text, known); err != nil {
			return w, &fieldError{t.field, err}
		}
	}
	for i, name := range def.Next {
		cmd := nextCommand(name)
		if cmd == nil {
			return w, &fieldError{fmt.Sprintf("next[%d]", i), fmt.Errorf("unknown command %q; the commands are %s",
				name, strings.Join(nextNames(), ", "))}
		}
		w.next = append(w.next, cmd)
	}
	return w, nil
}

// doc is the rule's documentation.
func (w *words) doc(def *RuleDef) Doc {
	return Doc{
		Title: def.Finds, Why: w.why.plain(), Fix: w.fix.plain(), FalsePositives: strings.TrimSpace(def.FalsePositives),
		Refs: def.Refs, Since: def.Since,
	}
}
