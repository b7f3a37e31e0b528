package diff

import (
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

func seen(print string, s rules.Severity, count int, share float64) rules.Finding {
	return rules.Finding{Rule: "TR1", Fingerprint: print, Severity: s, Confidence: rules.ConfMedium,
		Culprit: rules.Place{Function: "x.F"}, Evidence: []rules.Evidence{{Count: count, Share: share}, {Count: 1}}}
}

func TestBaseline_AFindingIsKnownUnlessItIsNewGrownOrGraver(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after rules.Finding
		known         bool
		text          string
	}{
		{"as many", seen("a", rules.High, 40, 0), seen("a", rules.High, 40, 0), true, "no alarm in the baseline"},
		{"half as many again and a few", seen("a", rules.High, 40, 0), seen("a", rules.High, 63, 0), true,
			"1.6 times the baseline"},
		{"more than that", seen("a", rules.High, 40, 0), seen("a", rules.High, 64, 0), false, "1.6 times the baseline"},
		{"few stay few", seen("a", rules.High, 1, 0), seen("a", rules.High, 4, 0), true, "4 times the baseline"},
		{"three times", seen("a", rules.High, 40, 0), seen("a", rules.High, 120, 0), false, "3 times the baseline"},
		{"fewer", seen("a", rules.High, 40, 0), seen("a", rules.High, 4, 0), true, "no alarm in the baseline"},
		{"an equal share of more samples", seen("a", rules.High, 90, .2), seen("a", rules.High, 900, .21), true,
			"no alarm in the baseline"},
		{"twice the share", seen("a", rules.High, 90, .2), seen("a", rules.High, 90, .4), false,
			"2 times the baseline"},
		{"a small share that varies", seen("a", rules.High, 9, .01), seen("a", rules.High, 9, .03), true,
			"3 times the baseline"},
		{"another one in the same function, where no line moved", seen("b", rules.High, 40, 0), seen("a", rules.High,
			40, 0), false, "not in the baseline"},
		{"an alarm that was none", seen("a", rules.Low, 40, 0), seen("a", rules.High, 40, 0), false,
			"no alarm in the baseline"},
	} {
		b := &Baseline{before: &Side{findings: []rules.Finding{c.before}}}
		news, known := b.Findings([]rules.Finding{c.after})
		if len(news)+len(known) != 1 || (len(known) == 1) != c.known {
			t.Errorf("%s: %d new, %d known", c.name, len(news), len(known))
			continue
		}
		if f := append(news, known...)[0]; f.Baseline.Text() != c.text {
			t.Errorf("%s: %q, want %q", c.name, f.Baseline.Text(), c.text)
		}
	}
	b := &Baseline{before: &Side{ignored: []rules.Finding{seen("a", rules.High, 40, 0)}}}
	if _, known := b.Findings([]rules.Finding{seen("a", rules.High, 40, 0)}); len(known) != 1 {
		t.Error("what the baseline ignores is not known")
	}
}

func TestBaseline_ASuspectIsKnownByItsGoroutinesOrItsPlace(t *testing.T) {
	at := func(function string, line, count int) schema.Lead {
		return schema.Lead{Culprit: &rules.Place{Function: function, Line: line},
			Evidence: []rules.Evidence{{Count: count}}}
	}
	b := &Baseline{
		before: &Side{leads: []schema.Lead{at("x.Lead.func1", 7, 40)}},
		places: map[rules.Place][2]float64{
			{Function: "x.F", Line: 7}: {40, 41}, {Function: "x.G", Line: 7}: {2, 41}, {Function: "x.H", Line: 7}: {0,
				41},
		},
	}
	for _, c := range []struct {
		name  string
		lead  schema.Lead
		known bool
		text  string
	}{
		{"as many in the dumps", at("x.F", 7, 41), true, "no alarm in the baseline"},
		{"few in the baseline, which are no suspect there", at("x.G", 7, 41), false, "20 times the baseline"},
		{"none in the baseline", at("x.H", 7, 41), false, "not in the baseline"},
		{"another line", at("x.F", 8, 41), false, "not in the baseline"},
		{"without dumps, a lead of the same function", at("x.Lead", 9, 45), true, "no alarm in the baseline"},
		{"that lead's goroutines, many times", at("x.Lead", 9, 450), false, "11 times the baseline"},
	} {
		got, known := b.Suspect(&c.lead)
		if known != c.known || got.Text() != c.text {
			t.Errorf("%s: known %v, %q", c.name, known, got.Text())
		}
	}
}
