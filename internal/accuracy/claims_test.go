package accuracy

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
)

// readLabel reads a label.
func readLabel(t *testing.T, text string) *label {
	t.Helper()
	var c captures.Case
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	return labelOf(&c, "")
}

// faultAt is the label of a leak in a function, of a module with another name where one is given.
func faultAt(function, module string) *label {
	return labelOf(&captures.Case{Module: module,
		RootCause: captures.Place{Category: captures.OneOf{"leak"}, Function: captures.OneOf{function}}}, "")
}

// at is a finding that raises an alarm.
func at(category, function string) rules.Finding {
	return rules.Finding{Name: "some-rule", Category: rules.Category(category), Severity: rules.High,
		Confidence: rules.ConfHigh, Culprit: rules.Place{Function: function, File: "/src/app/pool.go"}}
}

func TestAPlaceIsTheFunctionOrAClosureInIt(t *testing.T) {
	for _, c := range []struct {
		label, function string
		want            bool
	}{
		{"example.com/app.(*Pool).run", "example.com/app.(*Pool).run", true},
		{"example.com/app.(*Pool).run", "example.com/app.(*Pool).run.func1.2", true},
		{"example.com/app.(*Pool).run.func1", "example.com/app.(*Pool).run.func2", true},
		{"example.com/app.(*Pool).run", "example.com/x/vendor/example.com/app.(*Pool).run", true},
		{"example.com/app.(*Pool[...]).run", "example.com/app.(*Pool[go.shape.int]).run-fm", true},
		{"example.com/app.(*Pool).run", "example.com/other/app.(*Pool).run", false},
		{"example.com/app.(*Pool).run", "example.com/app.(*Pool).runs", false},
		{"app.(*Pool).run", "example.com/app.(*Pool).run.func1", true},
		{"app.(*Pool).run", "example.com/app/v2.(*Pool).run", true},
		{"app.(*Pool).run", "example.com/app.(*Pools).run", false},
		{"(*Pool).r*", "example.com/app.(*Pool).run", true},
		{"(*Pool).r*", "example.com/app.(*Pool).stop", false},
		{"app.run", "", false},
	} {
		l := faultAt(c.label, "")
		f := at("leak", c.function)
		if got := l.answers(claimOf(&f)); got != c.want {
			t.Errorf("%s at the place %s: %v", c.function, c.label, got)
		}
	}
	l := faultAt("queue.Run", "example.com/go-queue")
	for function, want := range map[string]bool{"example.com/go-queue.Run": true, "example.com/go-other.Run": false} {
		if f := at("leak", function); l.answers(claimOf(&f)) != want {
			t.Errorf("%s in a module of another name than its package: want %v", function, want)
		}
	}
}

func TestAnObjectIsNamedByItsNameOrByKindAndNamespace(t *testing.T) {
	pod := claim{object: &rules.Object{Kind: "Pod", Namespace: "web", Name: "shop-7x"}}
	node := claim{object: &rules.Object{Kind: "Node", Name: "n1"}}
	client := claim{client: "system:serviceaccount:web:shop"}
	for _, c := range []struct {
		label string
		of    claim
		want  bool
	}{
		{"shop-7x", pod, true}, {"Pod web/shop-*", pod, true}, {"Pod web/shop", pod, false}, {"Pod db/shop-*", pod, false},
		{"Node n1", node, true}, {"Node n2", node, false}, {"ServiceAccount web/shop", client, true},
		{"ServiceAccount web/other", client, false}, {"shop", claim{}, false},
	} {
		if p := (place{Place: captures.Place{Object: captures.OneOf{c.label}}}); p.at(c.of) != c.want {
			t.Errorf("%+v is %s: want %v", c.of, c.label, c.want)
		}
	}
}

// TestALabelJudgesFindings has near misses beside: another category, place, word or severity.
func TestALabelJudgesFindings(t *testing.T) {
	const text = `{"root_cause": {"category": "deadlock", "function": "example.com/app.lock", "file_suffix": null},
		"acceptable": ["leak", {"category": "spin", "file_suffix": "app/pool.go"}], "words": ["some"],
		"must_not_flag": ["example.com/app.lock.func9"]}`
	for _, c := range []struct {
		name              string
		f                 rules.Finding
		words             string
		answers, is, loud bool
	}{
		{"right", at("deadlock", "example.com/app.lock"), "some", true, true, true}, // its function must not be flagged
		{"another category at the place", at("leak", "example.com/app.lock"), "some", true, true, true},
		{"another place of its own", at("spin", "example.com/app.turn"), "some", true, true, false},
		{"a category that is wrong", at("deadlock", "example.com/app.turn"), "some", true, false, true},
		{"a rule without the word", at("deadlock", "example.com/app.lock"), "other", true, false, true},
	} {
		l := readLabel(t, strings.ReplaceAll(text, `"some"`, `"`+c.words+`"`))
		if l.answers(claimOf(&c.f)) != c.answers || l.names(&c.f) != c.is || l.accuses(&c.f) != c.loud {
			t.Errorf("%s: answers %v, names %v, accuses %v", c.name, l.answers(claimOf(&c.f)), l.names(&c.f), l.accuses(&c.f))
		}
		quiet := c.f
		quiet.Confidence = rules.ConfLow
		if l.accuses(&quiet) {
			t.Errorf("%s: with low confidence it is no accusation", c.name)
		}
	}
	if l := readLabel(t, text); l.least != rules.High || readLabel(t,
		`{"root_cause": {"category": "leak"}}`).least != rules.Medium {
		t.Errorf("a deadlock has to be high, not %s", l.least)
	}
}

func TestAnAlarmAboutAHealthyInputIsWrongUnlessItsCategoryIsTrue(t *testing.T) {
	f := at("contention", "example.com/app.lock")
	low := f
	low.Severity = rules.Low
	if !nothing().alarms(&f) || nothing().alarms(&low) || nothing("contention").alarms(&f) || !nothing("leak").alarms(&f) {
		t.Error("only what is low, or true, is no alarm")
	}
}

func TestCasesOfClosedHalvesAreCountedAndNotNamed(t *testing.T) {
	defer func(old bool) { *misses = old }(*misses)
	*misses = true
	missed := func(name string) *input {
		return &input{program: name, name: name, label: faultAt("main.f", "")}
	}
	batches := []*batch{{population: "p", half: "first", judged: []*input{missed("near")}}}
	for _, half := range closed {
		batches = append(batches, &batch{population: "p", half: half, judged: []*input{missed("far")}})
	}
	if text := wrong(batches); !strings.Contains(text, "near") || strings.Contains(text, "far") {
		t.Errorf("near is named, far is only counted:\n%s", text)
	}
	if text := table(rowsOf(batches), false, ""); strings.Count(text, " (closed) | 1 | 1 | 0% |") != len(closed) {
		t.Errorf("each closed half has an input:\n%s", text)
	}
}

func TestAFigureBelowItsFloorFailsAndFloorsOnlyRise(t *testing.T) {
	r := newRow("p", "first")
	r.faulty, r.answer1, r.answer3, r.all, r.accused = 10, 7, 9, 10, 2
	floor := map[floorKey]int{{"p", "first", "answer1"}: 8, {"p", "first", "answer3"}: 8, {"p", "first", "accused"}: 1}
	worse := undercut([]*row{r}, floor)
	want := []string{"p, first: answer1 is 7, the floor is 8", "p, first: accused is 2, the floor is 1"}
	if !slices.Equal(worse, want) {
		t.Errorf("%q, want %q", worse, want)
	}
	text := raised([]*row{r}, floor)
	for _, line := range []string{"p\tfirst\tanswer1\t8\n", "p\tfirst\tanswer3\t9\n", "p\tfirst\taccused\t1\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
}

func TestARowThatIsNotMeasuredKeepsItsLine(t *testing.T) {
	const old = "| p | first | 3 | 40 | 1% |\n| q |  | 1 | 2 | 5% |\n"
	rows := rowsOf([]*batch{{population: "q", outside: true}})
	if text := table(rows, false, old); !strings.Contains(text, "\n| q |  | 1 | 2 | 5% |\n") || strings.Contains(text, "| p |") {
		t.Errorf("the line of q is kept:\n%s", text)
	}
}
