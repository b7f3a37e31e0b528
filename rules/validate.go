package rules

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/rules/phrase"
)

// Validate reports everything that is wrong with a set of rules taken together: ids and names that are not unique or
// not well formed, documentation that is incomplete, values that the contract does not know. Each error names the rule.
func Validate(all []*Rule) error {
	var faults []error
	ids, names := map[string]bool{}, map[string]bool{}
	for _, r := range all {
		for _, say := range r.faults() {
			faults = append(faults, fmt.Errorf("rule %s (%s): %s", r.ID, r.Name, say))
		}
		if ids[r.ID] {
			faults = append(faults, fmt.Errorf("rule %s (%s): its id is taken", r.ID, r.Name))
		}
		if names[r.Name] {
			faults = append(faults, fmt.Errorf("rule %s (%s): its name is taken", r.ID, r.Name))
		}
		ids[r.ID], names[r.Name] = true, true
	}
	return errors.Join(faults...)
}

func (r *Rule) faults() []string {
	var bad []string
	if r.docFaults != nil {
		bad = slices.Clone(r.docFaults())
	}
	doc := r.Doc()
	for _, c := range []struct {
		wrong bool
		say   string
	}{
		{!IsID(r.ID), "its id is not of the form TRnnn"},
		{!IsKebab(r.Name), "its name is not kebab-case"},
		{!slices.Contains(Categories(), r.Category), fmt.Sprintf("unknown category %q", r.Category)},
		{r.Severity.Rank() < 0, fmt.Sprintf("unknown severity %q", r.Severity)},
		{r.Needs == 0, "it needs no evidence"},
		{r.Run == nil, "it can't run"},
		{strings.Contains(doc.Title, "\n"), "its title has several lines"},
		{strings.HasSuffix(doc.Title, "."), "its title ends in a full stop"},
		{len(doc.Title) > phrase.MaxTitle, fmt.Sprintf("its title has over %d characters", phrase.MaxTitle)},
	} {
		if c.wrong {
			bad = append(bad, c.say)
		}
	}
	for _, f := range []struct{ name, text string }{
		{"title", doc.Title}, {"why", doc.Why}, {"fix", doc.Fix}, {"false positives", doc.FalsePositives},
	} {
		if strings.TrimSpace(f.text) == "" {
			bad = append(bad, "its documentation lacks: "+f.name)
		}
	}
	return bad
}

// IsKebab reports whether s has the form of a rule's name: words of lower-case letters and digits, joined by dashes.
func IsKebab(s string) bool {
	return s != "" && !strings.HasPrefix(s, "-") && !strings.HasSuffix(s, "-") && !strings.Contains(s, "--") &&
		strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// Categories returns all categories.
func Categories() []Category {
	return []Category{Spin, Deadlock, Leak, Contention, Crash, RaceCat, Memory, HotCPU, GC, HotLoop, PodStorm, Other}
}

var ruleID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Z0-9]{0,15}[0-9]{3,5}$`) })

// IsID reports whether id has the form of a rule's id: capital letters, then a number of at least three digits.
func IsID(id string) bool { return ruleID().MatchString(id) }
