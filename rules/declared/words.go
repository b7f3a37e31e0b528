package declared

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
)

// placeholdersOf are those that a rule's texts may contain, each with what replaces it in documentation, where there is
// no finding. There are no others, so that a rule file can't reach anything else.
func placeholdersOf(def *RuleDef) []string {
	if def.Kind != "" {
		return hotspot.Placeholders()
	}
	e := evidenceOf(def)
	known := []string{"{count}", "N"}
	switch e.field {
	case "":
		known = append(known, "{culprit}", "the culprit", "{function}", "the culprit", "{file}", "FILE",
			"{line}", "LINE", "{creator}", "the creator", "{goroutines}", "N goroutines",
			"{minutes}", "M", "{waiting}", "", "{class}", "its state", "{state}", "its state")
	case "objects", "logs":
		known = append(known, "{minutes}", "M", "{waiting}", "")
	case "metrics":
		known = append(known, "{labels}", "its labels")
	}
	words := envWords(e.env)
	for i := 0; i < len(words); i += 2 {
		if !slices.Contains(known, words[i]) {
			known = append(known, words[i], "the "+strings.ReplaceAll(strings.Trim(words[i], "{}"), "_", " "))
		}
	}
	return known
}

// compileWords reads def's texts; errors are match.FieldErrors.
func compileWords(def *RuleDef) (*hotspot.Words, error) {
	w := &hotspot.Words{}
	for _, t := range []struct {
		field, text string
		to          *string
	}{{"title", def.Title, &w.Title}, {"why", def.Why, &w.Why}, {"fix", def.Fix, &w.Fix}} {
		*t.to = strings.Join(strings.Fields(t.text), " ")
		if err := checkTemplate(*t.to, placeholdersOf(def)); err != nil {
			return nil, &match.FieldError{Field: t.field, Err: err}
		}
	}
	for i, name := range def.Next {
		cmd := rules.NextCommand(name)
		if cmd == nil {
			return nil, match.Fault(fmt.Sprintf("next[%d]", i), "unknown command %q; the commands are %s",
				name, strings.Join(rules.NextNames(), ", "))
		}
		w.Next = append(w.Next, cmd)
	}
	return w, nil
}

// checkTemplate reports what is wrong with a text whose placeholders are of known.
func checkTemplate(text string, known []string) error {
	var names []string
	for i := 0; i < len(known); i += 2 {
		names = append(names, known[i])
	}
	for {
		_, after, found := strings.Cut(text, "{")
		if !found {
			return nil
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed {
			return fmt.Errorf("a brace is not closed: {%s", name)
		}
		if !slices.Contains(names, "{"+name+"}") {
			return fmt.Errorf("unknown placeholder {%s}; there are %s", name, strings.Join(names, " "))
		}
		text = tail
	}
}

// docOf is the documentation of a rule with these texts.
func docOf(def *RuleDef, w *hotspot.Words) rules.Doc {
	known := placeholdersOf(def)
	return rules.Doc{
		Title: def.Finds, Why: inSentences(w.Why, known), Fix: inSentences(w.Fix, known),
		FalsePositives: strings.TrimSpace(def.FalsePositives), Refs: def.Refs, Since: def.Since,
	}
}

// inSentences replaces the placeholders of a text by the words that known has for them, with a capital letter where one
// begins a sentence.
func inSentences(text string, known []string) string {
	const end = ". "
	var pairs []string
	for i := 0; i < len(known); i += 2 {
		name, words := known[i], known[i+1]
		if words != "" {
			pairs = append(pairs, end+name, end+strings.ToUpper(words[:1])+words[1:])
		}
	}
	all := strings.NewReplacer(append(pairs, known...)...)
	return strings.TrimPrefix(all.Replace(end+text), end)
}
