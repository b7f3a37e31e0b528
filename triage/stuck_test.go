package triage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

// The programs stuck and stucktest wait for ever. Which rule finds each of them, and whom it may blame, is in the
// manifest; here is counted how many are found.
func TestStuck(t *testing.T) {
	all := judgeAll(t, func(r row) bool { return r.rule != "" })
	t.Run("every goroutine is counted", func(t *testing.T) { checkCounts(t, all) })
	t.Run("the manifest names known rules and culprits", func(t *testing.T) { checkStuckRows(t, all) })
	scores := map[string]*stuckScore{}
	var classes []string
	for _, r := range all {
		class := r.class()
		if scores[class] == nil {
			scores[class] = new(stuckScore)
			classes = append(classes, class)
		}
		scores[class].add(r)
	}
	slices.Sort(classes)
	var sum stuckScore
	t.Logf("%-12s %5s %5s %5s %5s %5s %5s", "class", "dumps", "found", "rule", "blame", "first", "loud")
	for _, class := range classes {
		t.Log(scores[class].line(class))
		sum.plus(scores[class])
	}
	t.Log(sum.line("all"))
	for class, least := range leastFirst {
		if s := scores[class]; s == nil || float64(s.first) < least*float64(s.dumps) {
			t.Errorf("%s: fewer than %.0f %% are named first", class, 100*least)
		}
	}
	for _, class := range classes {
		for _, miss := range scores[class].misses {
			t.Log(miss)
		}
	}
}

// stuckRules are the rules that a row may want, by the name of the manifest.
var stuckRules = strings.Fields(`double-lock lock-cycle rwmutex-recursion lock-channel-cycle channel-send-leak channel-receive-leak
	select-leak nil-channel waitgroup-stuck cond-missed-signal lock-convoy`)

// stuckCategories are the categories that a row may have. They do not count against a finding: who waits for ever
// for one lock leaks its goroutines too.
var stuckCategories = []rules.Category{rules.Deadlock, rules.Leak, rules.Contention}

func checkStuckRows(t *testing.T, rows []judged) {
	for _, r := range rows {
		for _, name := range strings.Split(r.rule, "|") {
			if !slices.Contains(stuckRules, name) {
				t.Errorf("%s: no rule is called %q", r.file, name)
			}
		}
		if r.culprit == "" || !slices.Contains(stuckCategories, rules.Category(r.category)) {
			t.Errorf("%s: %s blames %q", r.file, r.category, r.culprit)
		}
	}
}

// class is what a kind is counted under: "double" for double-method.
func (r row) class() string {
	class, _, _ := strings.Cut(r.kind, "-")
	return class
}

// A stuckScore counts the dumps of a class.
type stuckScore struct {
	dumps  int
	found  int // some finding is a deadlock, leak or contention
	named  int // some finding has one of the rules
	blamed int // some finding has one of the rules and one of the culprits
	first  int // the first finding has both
	loud   int // and it is above low
	misses []string
}

func (s *stuckScore) add(r judged) {
	s.dumps++
	var found, named, blamed bool
	for _, f := range r.report.Findings {
		found = found || slices.Contains(stuckCategories, f.Category)
		named = named || r.wantsRule(f)
		blamed = blamed || r.wants(f)
	}
	s.found += count(found)
	s.named += count(named)
	s.blamed += count(blamed)
	if fs := r.report.Findings; len(fs) > 0 && r.wants(fs[0]) {
		s.first++
		s.loud += count(fs[0].Severity.Rank() > rules.Low.Rank())
	} else if len(fs) > 0 {
		s.misses = append(s.misses, r.file+": "+fs[0].Name+" "+fs[0].Culprit.Function+", want "+r.rule+" "+r.culprit)
	} else {
		s.misses = append(s.misses, r.file+": nothing, want "+r.rule+" "+r.culprit)
	}
}

func (s *stuckScore) plus(o *stuckScore) {
	s.dumps += o.dumps
	s.found += o.found
	s.named += o.named
	s.blamed += o.blamed
	s.first += o.first
	s.loud += o.loud
}

func (s *stuckScore) line(class string) string {
	return fmt.Sprintf("%-12s %5d %5d %5d %5d %5d %5d", class, s.dumps, s.found, s.named, s.blamed, s.first, s.loud)
}

// leastFirst is the share of a class's dumps whose cause must be named first. Locks show enough for that. One dump of a
// living process mostly doesn't distinguish an idle receiver, select, WaitGroup or Cond from one that is stuck, so that those
// classes are only counted.
var leastFirst = map[string]float64{"double": 0.95, "cycle": 0.95, "reader": 0.95, "mixed": 0.95, "convoy": 0.95, "nil": 0.95}

// wantsRule reports whether a finding is of a rule that the row names; a test that ran into its timeout has that rule's
// name.
func (r row) wantsRule(f rules.Finding) bool {
	if f.Name == "test-timeout" && r.program == "stucktest" {
		return true
	}
	return slices.Contains(strings.Split(r.rule, "|"), f.Name) && slices.Contains(stuckCategories, f.Category)
}

// wants reports whether a finding is of a rule and blames a function that the row names.
func (r row) wants(f rules.Finding) bool {
	return r.wantsRule(f) && slices.Contains(strings.Split(r.culprit, "|"), f.Culprit.Function)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
