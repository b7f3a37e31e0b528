package hotspot

import (
	"testing"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
)

func TestWorkThatProgramsDoForALivingIsDoubtedOutsideControllers(t *testing.T) {
	const (
		sort  = "900 sort.Slice sort.go:9 < example.com/shop/rank.order rank.go:8"
		again = " < example.com/shop/rank.(*Reconciler).Reconcile rank.go:40"
		batch = " < main.main main.go:3 < runtime.main proc.go:290"
	)
	for _, tt := range []struct {
		claim   string
		living  float64
		purpose []string
		stacks  string
		doubted bool
	}{
		{"a batch", 1, nil, sort + batch, true},
		{"a handler may be what the service is for", 1, nil, sort + " < net/http.HandlerFunc.ServeHTTP server.go:9",
			true},
		{"a reconcile does it for the same objects again", 1, nil, sort + again, false},
		{"nobody's purpose", 0, nil, sort + batch, false},
		{"more than who does it for a living has", 0.8, nil, sort + batch, false},
		{"as much as who does it for a living has", 0.8, nil, sort + batch + "\n300" + idle, true},
		{"less of it is a reconcile's than not", 1, nil, sort + batch + "\n" + "8" + sort[1:] + again, true},
		{"the machinery of Kubernetes", 1, nil, "900 sort.Slice sort.go:9 < k8s.io/apimachinery/pkg/util/sets.List " +
			"/m/k8s.io/apimachinery@v0.34.1/set.go:9 < example.com/shop/rank.order rank.go:8" + batch, false},
		{"a function shows what the program is for", 0, []string{"example.com/shop/rank.order"}, sort + batch, true},
		{"a function that is not there", 0, []string{"example.com/shop/rank.Order"}, sort + batch, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 10\n"+tt.stacks+"\n").In
			m := &Matcher{ID: "X001", HotspotDef: HotspotDef{Kind: profile.KindCPU, Shares: Shares{Low: 0.05, Medium: 0.2}, Living: tt.living,
				Purpose: tt.purpose, Stacks: []match.StackMatch{{Frames: []string{"sort.Slice"}}}}}
			hot := NewBoard([]*rules.Rule{{ID: m.ID, Hotspots: m}}).Hotspots(in).Of(m.ID)
			if got := hot.against(in); (len(got) > 0) != tt.doubted || hot.severity(in, rules.High) != rules.Medium {
				t.Errorf("severity %s, against %q", hot.severity(in, rules.High), got)
			}
		})
	}
}

func TestOnlyThePartThatShowsWasteCountsForALiving(t *testing.T) {
	const (
		joins         = " runtime.concatstrings string.go:9 < example.com/shop/text.join text.go:8 < main.main main.go:3"
		copies, makes = " runtime.memmove memmove.s:9 <" + joins, " runtime.mallocgc malloc.go:9 <" + joins
	)
	for _, tt := range []struct {
		claim, stacks string
		doubted       bool
	}{
		{"texts that grow are copied", "300" + copies + "\n300" + makes + "\n400" + idle, false},
		{"short texts are made", "50" + copies + "\n550" + makes + "\n400" + idle, true},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 10\n"+tt.stacks+"\n").In
			m := &Matcher{ID: "X001", HotspotDef: HotspotDef{Kind: profile.KindCPU, Shares: Shares{Low: 0.05, Medium: 0.2}, Living: 0.15,
				LivingIn: []string{"runtime.memmove"}, Stacks: []match.StackMatch{{At: []string{"runtime.concatstrings"}}}}}
			hot := NewBoard([]*rules.Rule{{ID: m.ID, Hotspots: m}}).Hotspots(in).Of(m.ID)
			if got := hot.against(in); (len(got) > 0) != tt.doubted || hot.severity(in, rules.High) != rules.Medium {
				t.Errorf("severity %s, against %q", hot.severity(in, rules.High), got)
			}
		})
	}
}

func TestExpressionsThatBacktrackAreWorkWhereTheyHaveMostOfTheCPU(t *testing.T) {
	const (
		calls = " < regexp.(*Regexp).MatchString regexp.go:9 < example.com/shop/tail.lines tail.go:8"
		tried = " regexp.(*bitState).shouldVisit backtrack.go:9"
		other = " regexp.(*inputString).step regexp.go:9"
		batch = " < main.main main.go:3"
		again = " < example.com/shop/tail.(*Filter).Reconcile tail.go:40"
	)
	for _, tt := range []struct {
		claim  string
		stacks string
		want   bool
	}{
		{"a shipper of logs tries a fifth", "200" + tried + calls + batch + "\n800" + other + calls + batch, false},
		{"a third is more than that", "330" + tried + calls + batch + "\n670" + other + calls + batch, true},
		{"a fifth below a reconcile", "200" + tried + calls + again + "\n800" + other + calls + again, true},
		{"a fifth beside other work", "80" + tried + calls + batch + "\n320" + other + calls + batch + "\n600" + idle, true},
		{"a tenth beside other work", "40" + tried + calls + batch + "\n360" + other + calls + batch + "\n600" + idle, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 10\n"+tt.stacks+"\n").In
			declared := hotspotRule(rules.Rule{ID: matchRule}, Matcher{HotspotDef: HotspotDef{Order: 403, Kind: "cpu", Shares: Shares{Low: 0.1},
				Stacks: []match.StackMatch{{Frames: []string{"regexp.(*Regexp).**"}}}}}, Words{})
			if got := NewBoard(append(Rules(), declared)).Hotspots(in).Of(backtrackingRule).fires(); got != tt.want {
				t.Errorf("fires: %v", got)
			}
		})
	}
}
