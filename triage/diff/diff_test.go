package diff

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

func TestCompare_FindingsMatchByFingerprint(t *testing.T) {
	f := func(rule, print, fn string) rules.Finding {
		return rules.Finding{Rule: rule, Fingerprint: print, Culprit: rules.Place{Function: fn}, Severity: rules.High}
	}
	before := []rules.Finding{f("TR1", "a", "x.F"), f("TR2", "b", "x.G"), f("TR3", "c", "x.H")}
	after := []rules.Finding{f("TR2", "b", "x.G"), f("TR4", "d", "x.I"), f("TR3", "c2", "m/vendor/x.H")}
	d := diffFindings(&Side{findings: before}, &Side{findings: after}, false)
	if ids(d.New) != "TR4 TR3" || ids(d.Gone) != "TR1 TR3" || ids(d.Both) != "TR2" {
		t.Errorf("new %q, gone %q, both %q", ids(d.New), ids(d.Gone), ids(d.Both))
	}
	d = diffFindings(&Side{findings: before}, &Side{findings: after}, true)
	if ids(d.New) != "TR4" || ids(d.Gone) != "TR1" || ids(d.Both) != "TR2 TR3" {
		t.Errorf("lines moved: new %q, gone %q, both %q", ids(d.New), ids(d.Gone), ids(d.Both))
	}
	if before[0].Rule != "TR1" || after[2].Rule != "TR3" {
		t.Error("the sides' findings were changed")
	}
}

func ids(fs []rules.Finding) string {
	var all []string
	for _, f := range fs {
		all = append(all, f.Rule)
	}
	return strings.Join(all, " ")
}

func TestCompare_AnIgnoredFindingIsNeitherNewNorGone(t *testing.T) {
	f := []rules.Finding{{Rule: "TR1", Fingerprint: "a"}}
	for _, c := range []struct {
		name                  string
		before, after         *Side
		isNew, isGone, isBoth string
	}{
		{"on both sides", &Side{ignored: f}, &Side{ignored: f}, "", "", ""},
		{"after alone, where it is new", &Side{}, &Side{ignored: f}, "", "", ""},
		{"after, where it was there before", &Side{findings: f}, &Side{ignored: f}, "", "", ""},
		{"before, until it expired", &Side{ignored: f}, &Side{findings: f}, "", "", "TR1"},
		{"nowhere", &Side{findings: f}, &Side{}, "", "TR1", ""},
	} {
		d := diffFindings(c.before, c.after, false)
		if ids(d.New) != c.isNew || ids(d.Gone) != c.isGone || ids(d.Both) != c.isBoth {
			t.Errorf("%s: new %q, gone %q, both %q", c.name, ids(d.New), ids(d.Gone), ids(d.Both))
		}
	}
}
