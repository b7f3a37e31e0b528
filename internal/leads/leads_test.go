package leads_test

import (
	"slices"
	"testing"

	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

func finding(function string, s rules.Severity, c rules.Confidence, against ...string) rules.Finding {
	return rules.Finding{Title: function, Severity: s, Confidence: c, Against: against, Fingerprint: "f-" + function,
		Culprit: rules.Place{Function: function}}
}

func suspected(function string, points float64) suspect.Suspect {
	return suspect.Suspect{Title: function, Points: points, Culprit: rules.Place{Function: function}, For: []string{"a fact"}}
}

func titles(list []schema.Lead) (all []string) {
	for _, l := range list {
		all = append(all, l.Title+" "+string(l.Certainty))
	}
	return all
}

func TestLeadsAreAlarmsThenUnopposedFindingsThenTheRestByPoints(t *testing.T) {
	found := []rules.Finding{
		finding("a.Sure", rules.High, rules.ConfHigh),
		finding("a.Doubtful", rules.High, rules.ConfLow, "a timer may end it"),
		finding("a.Alarm", rules.Medium, rules.ConfMedium),
		finding("a.Unopposed", rules.Medium, rules.ConfLow),
		finding("a.Small", rules.Low, rules.ConfHigh),
	}
	got, ordered := leads.Rank(found, []suspect.Suspect{suspected("b.Weak", suspect.Shown), suspected("b.Strong", suspect.Strong)})
	want := []string{"a.Sure certain", "a.Alarm likely", "a.Unopposed likely", "b.Strong suspect", "a.Doubtful possible",
		"a.Small possible", "b.Weak suspect"}
	if !slices.Equal(titles(got), want) {
		t.Errorf("%q\nwant %q", titles(got), want)
	}
	for i, l := range got {
		if l.Rank != i+1 || (l.Finding == "") != (l.Certainty == schema.OnlySuspect) {
			t.Errorf("%+v", l)
		}
	}
	var order []string
	for _, f := range ordered {
		order = append(order, f.Title)
	}
	if !slices.Equal(order, []string{"a.Sure", "a.Alarm", "a.Unopposed", "a.Doubtful", "a.Small"}) {
		t.Errorf("findings in the order %q", order)
	}
}

func TestASuspectAtTheFunctionOfAFindingIsItsEvidence(t *testing.T) {
	found := []rules.Finding{finding("a.Send.func1", rules.High, rules.ConfLow, "it may be at work"),
		finding("a.Other", rules.High, rules.ConfLow, "it may be at work")}
	got, _ := leads.Rank(found, []suspect.Suspect{suspected("a.Send", 1), suspected("a.Sender", 4)})
	if want := []string{"a.Send.func1 possible", "a.Sender suspect", "a.Other possible"}; !slices.Equal(titles(got), want) {
		t.Fatalf("%q\nwant %q", titles(got), want)
	}
	if !slices.Equal(got[0].For, []string{"a fact"}) {
		t.Errorf("for %q", got[0].For)
	}
}

func TestASuspectObjectIsThatOfAFindingByKindNamespaceAndName(t *testing.T) {
	object := func(name string) *rules.Object {
		return &rules.Object{Kind: "Deployment", Namespace: "shop", Name: name}
	}
	found := []rules.Finding{{Title: "web", Severity: rules.High, Confidence: rules.ConfMedium, Object: object("web")}}
	got, _ := leads.Rank(found, []suspect.Suspect{{Title: "web too", Object: object("web")}, {Title: "db", Object: object("db")}})
	if want := []string{"web likely", "db suspect"}; !slices.Equal(titles(got), want) {
		t.Errorf("%q\nwant %q", titles(got), want)
	}
}

func TestWhoWritesAndOtherObjectsOfAFindingAreNoLeadsOfTheirOwn(t *testing.T) {
	found := []rules.Finding{{Title: "web", Severity: rules.High, Confidence: rules.ConfMedium,
		Object:  &rules.Object{Kind: "Deployment", Namespace: "shop", Name: "web"},
		Objects: []rules.Object{{Kind: "ConfigMap", Namespace: "shop", Name: "prices"}},
		Actors:  []string{"system:serviceaccount:shop:agent"}}}
	got, _ := leads.Rank(found, []suspect.Suspect{
		{Title: "prices", Object: &rules.Object{Kind: "ConfigMap", Namespace: "shop", Name: "prices"}},
		{Title: "agent", Client: "shop/agent"}, {Title: "other", Client: "shop/other"},
	})
	if want := []string{"web likely", "other suspect"}; !slices.Equal(titles(got), want) {
		t.Errorf("%q\nwant %q", titles(got), want)
	}
}

func TestASuspectsTitleIsNotRepeatedAmongItsFacts(t *testing.T) {
	s := suspect.Suspect{Title: "client kim gets pods 476 times", Client: "kim", Points: suspect.Strong,
		For: []string{"gets pods 476 times", "97% of all requests"}}
	list, _ := leads.Rank(nil, []suspect.Suspect{s})
	if got := list[0].For; !slices.Equal(got, []string{"97% of all requests"}) {
		t.Errorf("it has the facts %q", got)
	}
}

func TestOnlyAlarmsAreListedWithoutLimit(t *testing.T) {
	var found []rules.Finding
	for range 2 * leads.Limit {
		found = append(found, finding("a.Alarm", rules.High, rules.ConfMedium), finding("a.Small", rules.Low, rules.ConfLow))
	}
	got, ordered := leads.Rank(found, nil)
	if len(got) != 3*leads.Limit || len(ordered) != len(found) {
		t.Errorf("%d leads, %d findings", len(got), len(ordered))
	}
}

func TestLeadsOfAComparisonAreWhatIsNew(t *testing.T) {
	before, _ := leads.Rank(nil, []suspect.Suspect{suspected("b.Old", 3)})
	after, _ := leads.Rank([]rules.Finding{finding("a.Both", rules.High, rules.ConfHigh)},
		[]suspect.Suspect{suspected("b.Old.func1", 4), suspected("b.New", 2)})
	got, _ := leads.New([]rules.Finding{finding("a.New", rules.High, rules.ConfMedium)}, before, after)
	if want := []string{"a.New likely", "b.New suspect"}; !slices.Equal(titles(got), want) || got[1].Rank != 2 {
		t.Errorf("%q\nwant %q", titles(got), want)
	}
}

func TestASuspectAtThePlaceOfAnIgnoredFindingIsIgnoredToo(t *testing.T) {
	r := &schema.Report{Ignored: []schema.Ignored{{Finding: finding("a.Loop", rules.High, rules.ConfHigh)}}}
	left := leads.Beyond([]suspect.Suspect{
		suspected("a.Loop.func1", suspect.Strong), suspected("a.Looper", suspect.Strong), suspected("b.Loop",
			suspect.Shown),
	}, r, nil)
	if len(left) != 2 || left[0].Title != "a.Looper" || left[1].Title != "b.Loop" {
		t.Errorf("left: %+v", left)
	}
}
