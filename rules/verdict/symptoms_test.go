package verdict

import (
	"fmt"
	"testing"

	"github.com/gotriage/triage/rules"
)

// finding is one of a log, at the innermost of some calls, outermost first.
func symptomOf(rule string, category rules.Category, severity rules.Severity, calls ...string) rules.Finding {
	f := rules.Finding{Rule: rule, Name: rule, Category: category, Severity: severity, Confidence: rules.ConfMedium,
		Title: rule, Sources: []string{"1.log"}, Evidence: []rules.Evidence{{Input: "1.log", Line: 7}}}
	for i, fn := range calls {
		f.Path = append(f.Path, rules.PathFrame{Function: fn, Line: i})
		f.Culprit = rules.Place{Function: fn, Line: i}
	}
	return f
}

func TestWhatPilesUpBehindAStandstillIsItsSymptom(t *testing.T) {
	const run, broadcast, register = "lib.(*Hub).run", "lib.(*Hub).broadcast", "lib.(*Hub).Register"
	stuck := symptomOf("TR444", rules.Deadlock, rules.Medium, run, broadcast)
	mild := symptomOf("TR444", rules.Deadlock, rules.Low, run, broadcast)
	elsewhere := stuck
	elsewhere.Sources = []string{"2.log"}
	opens := symptomOf(openedBy, rules.Leak, rules.Medium, "main.forecast")
	const reader = "net/http.(*persistConn).readLoop"
	idle := symptomOf("TR662", rules.Leak, rules.Medium, reader)
	idle.Evidence = []rules.Evidence{{Input: "1.log", Line: 9}}
	for name, c := range map[string]struct {
		cause, other rules.Finding
		joins        bool
	}{
		"callers of the stuck object grow":       {stuck, symptomOf(growthRule, rules.Leak, rules.High, register), true},
		"callers of the stuck object wait":       {stuck, symptomOf("TR412", rules.Leak, rules.Medium, register), true},
		"requests want something of it":          {stuck, symptomOf("TR448", rules.Deadlock, rules.Medium, register), true},
		"they wait for its lock":                 {stuck, symptomOf("TR661", rules.Contention, rules.Medium, broadcast), true},
		"goroutines of another type grow":        {stuck, symptomOf(growthRule, rules.Leak, rules.High, "lib.(*Peer).Send"), false},
		"nothing is sure to be stuck":            {mild, symptomOf(growthRule, rules.Leak, rules.High, register), false},
		"the pile is in another dump":            {elsewhere, symptomOf(growthRule, rules.Leak, rules.High, register), false},
		"a standstill is no symptom":             {stuck, symptomOf("TR443", rules.Deadlock, rules.High, register), false},
		"who waits panicked in the same call":    {stuck, symptomOf("TR203", rules.Crash, rules.High, "main.handle", broadcast, broadcast, "main.load"), true},
		"the panic ended the process":            {stuck, symptomOf("TR203", rules.Crash, rules.Critical, broadcast, broadcast, "main.load"), false},
		"their bodies are not read":              {opens, symptomOf("TR424", rules.Leak, rules.Medium, reader), true},
		"connections grow":                       {opens, symptomOf(growthRule, rules.Leak, rules.High, reader), true},
		"they are other connections":             {opens, idle, false},
		"other goroutines grow":                  {opens, symptomOf(growthRule, rules.Leak, rules.High, "main.tail"), false},
		"another function panicked":              {stuck, symptomOf("TR203", rules.Crash, rules.High, "main.handle", "main.load"), false},
		"a function that the stuck one is below": {stuck, symptomOf("TR203", rules.Crash, rules.High, run, "main.load"), false},
	} {
		for _, found := range [][]rules.Finding{{c.cause, c.other}, {c.other, c.cause}} {
			got := Symptoms(found)
			if joined := len(got) == 1; joined != c.joins {
				t.Errorf("%s: joined is %t, want %t", name, joined, c.joins)
			} else if joined && (got[0].Rule != c.cause.Rule || len(got[0].Notes) != 1) {
				t.Errorf("%s: %s with notes %q is left", name, got[0].Rule, got[0].Notes)
			}
		}
	}
}

func TestAPileThatGrowsMakesItsCauseSevere(t *testing.T) {
	got := Symptoms([]rules.Finding{symptomOf(growthRule, rules.Leak, rules.High, "lib.(*Hub).Register"),
		symptomOf("TR444", rules.Deadlock, rules.Medium, "lib.(*Hub).run")})
	if len(got) != 1 || got[0].Severity != rules.High {
		t.Errorf("%+v", got)
	}
}

// A test that compares each with each takes minutes for these.
func TestTheSymptomsOfThousandsOfPodsAreJoinedOneByOne(t *testing.T) {
	const pods = 20_000
	var found []rules.Finding
	for i := range pods {
		for _, f := range []rules.Finding{symptomOf("TR444", rules.Deadlock, rules.Medium, "lib.(*Hub).run"),
			symptomOf("TR412", rules.Leak, rules.Medium, "lib.(*Hub).Register")} {
			f.Sources = []string{fmt.Sprint(i, ".log")}
			found = append(found, f)
		}
	}
	got := Symptoms(found)
	if len(got) != pods {
		t.Fatalf("%d findings are left of %d", len(got), len(found))
	}
	for i, f := range got {
		if f.Rule != "TR444" || len(f.Notes) != 1 || f.Sources[0] != fmt.Sprint(i, ".log") {
			t.Fatalf("finding %d is %s of %s with notes %q", i, f.Rule, f.Sources, f.Notes)
		}
	}
}

func TestASymptomGoesToTheWorstOfItsCauses(t *testing.T) {
	mild := symptomOf("TR444", rules.Deadlock, rules.Medium, "lib.(*Hub).run")
	worse := symptomOf("TR409", rules.Deadlock, rules.High, "lib.(*Hub).run")
	pile := symptomOf("TR412", rules.Leak, rules.Medium, "lib.(*Hub).Register")
	panicked := symptomOf("TR203", rules.Crash, rules.High, "lib.(*Hub).run", "lib.(*Hub).run", "main.load")
	for _, symptom := range []rules.Finding{pile, panicked} {
		got := Symptoms([]rules.Finding{mild, symptom, worse})
		if len(got) != 2 || len(got[0].Notes) != 0 || len(got[1].Notes) != 1 {
			t.Errorf("%s: %+v", symptom.Rule, got)
		}
	}
	// The worse one waits at the line that panicked.
	panicked.Path = panicked.Path[1:]
	worse.Culprit.Line = 1
	if got := Symptoms([]rules.Finding{worse, mild, panicked}); len(got) != 2 || len(got[1].Notes) != 1 {
		t.Errorf("%+v", got)
	}
}
