package triage_test

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// A clusterFault is one fault that the cluster lab plays: what a capture of it should show, written before the first
// one was taken. The head of testdata/gen/cluster/faults.yaml describes the keys.
type clusterFault struct {
	Name, Kind, What, Learn, Category string

	Also   []string
	Least  rules.Severity `yaml:"min_severity"`
	Inputs []string
	A, B   clusterVariant
	// Corrected is why a label was changed after it was frozen, "" for most.
	Corrected string
}

// A clusterVariant is one of the two ways in which a fault is played.
type clusterVariant struct {
	Level, How, Object, Field, Cause, Function string

	Accept, Actors, Says []string
	Least                rules.Severity `yaml:"min_severity"`
}

// A clusterDay is a healthy scene of the cluster lab: whatever is reported above low is wrong.
type clusterDay struct{ Name, Fools, Why, Level string }

// readClusterFaults reads the labels.
func readClusterFaults(t *testing.T, name string) []clusterFault {
	t.Helper()
	var faults []clusterFault
	readStrictYAML(t, name, &faults)
	for _, f := range faults {
		if f.Kind == "" || f.Learn == "" || f.Category == "" || f.Least.Rank() < 0 || len(f.Inputs) == 0 {
			t.Errorf("%s: kind %q, learn %q, category %q, min_severity %q, inputs %q", f.Name, f.Kind, f.Learn, f.Category,
				f.Least, f.Inputs)
		}
		for _, input := range f.Inputs {
			if !slices.Contains(clusterForms, input) {
				t.Errorf("%s: there is no input %q", f.Name, input)
			}
		}
		for _, v := range []clusterVariant{f.A, f.B} {
			if v.Object == "" || v.Level != metadataLevel && v.Level != bodiesLevel {
				t.Errorf("%s: object %q, level %q", f.Name, v.Object, v.Level)
			}
		}
	}
	return faults
}

// readClusterDays reads the list of healthy scenes.
func readClusterDays(t *testing.T, name string) []clusterDay {
	t.Helper()
	var days []clusterDay
	readStrictYAML(t, name, &days)
	for _, d := range days {
		if d.Name == "" || d.Fools == "" || d.Why == "" {
			t.Errorf("%+v: a healthy day says whom it fools and why it is healthy", d)
		}
	}
	return days
}

func readStrictYAML(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = yaml.UnmarshalWithOptions(data, into, yaml.Strict())
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// least is the severity that a variant is worth.
func (f *clusterFault) least(v *clusterVariant) rules.Severity {
	if v.Least != "" {
		return v.Least
	}
	return f.Least
}

// names reports whether a finding is of the fault: one of its categories, about one of its objects, or at its function
// where an input knows functions.
func (f *clusterFault) names(v *clusterVariant, found *rules.Finding, form string) bool {
	category := string(found.Category)
	if category != f.Category && !slices.Contains(f.Also, category) {
		return false
	}
	return v.isAbout(found.Object) || v.Function != "" && hasLogs(form) && v.hasFunction(found)
}

// isAbout reports whether an object is one of the label's.
func (v *clusterVariant) isAbout(o *rules.Object) bool {
	if o == nil {
		return false
	}
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	return slices.ContainsFunc(append([]string{v.Object}, v.Accept...), func(pattern string) bool {
		ok, err := path.Match(pattern, o.Kind+" "+name)
		return ok && err == nil
	})
}

// hasFunction reports whether a finding names the label's function as its culprit or on the path to it.
func (v *clusterVariant) hasFunction(found *rules.Finding) bool {
	if symbol.ShortFunc(found.Culprit.Function) == v.Function {
		return true
	}
	return slices.ContainsFunc(found.Path, func(f rules.PathFrame) bool {
		return symbol.ShortFunc(f.Function) == v.Function
	})
}

// lacks returns what a finding of the fault leaves out, as "actor NAME", "field NAME" or "text"; "" for nothing.
func (v *clusterVariant) lacks(found *rules.Finding, form string, bodies bool) string {
	text := findingText(found)
	if form == "metadata" || form == "bodies" || form == "bundle" {
		for _, actor := range v.Actors {
			if !slices.Contains(found.Actors, actor) && !strings.Contains(text, actor) {
				return "actor " + actor
			}
		}
	}
	seesValues := form == "bodies" || form == "snapshots" || form == "watch" || form == "bundle" && bodies
	if seesValues && !strings.Contains(text, v.Field) {
		return "field " + v.Field
	}
	if hasLogs(form) && !strings.Contains(text, v.Cause) {
		return "cause " + v.Cause
	}
	if hasLogs(form) && v.Function != "" && !v.hasFunction(found) && !strings.Contains(text, v.Function) {
		return "function " + v.Function
	}
	for _, say := range v.Says {
		if !strings.Contains(text, say) {
			return fmt.Sprintf("text %q", say)
		}
	}
	return ""
}

// hasLogs reports the forms that hold logs of processes.
func hasLogs(form string) bool { return form == "logs" || form == "bundle" }

// findingText is all that a reader sees of a finding.
func findingText(f *rules.Finding) string {
	texts := []string{f.Title, f.Why, f.Fix}
	if f.Object != nil {
		texts = append(texts, f.Object.Kind+" "+f.Object.Namespace+"/"+f.Object.Name)
	}
	for _, o := range f.Objects {
		texts = append(texts, o.Kind+" "+o.Namespace+"/"+o.Name)
	}
	for _, e := range f.Evidence {
		texts = append(texts, e.Text)
	}
	for _, p := range f.Path {
		texts = append(texts, p.Function)
	}
	return strings.Join(slices.Concat(texts, f.Actors, f.Notes), "\n")
}

// accused is the first finding of high or critical severity that is of nothing in the label, "" for none.
func (f *clusterFault) accused(v *clusterVariant, r *schema.Report, form string) string {
	for i := range r.Findings {
		found := &r.Findings[i]
		if found.Severity.Rank() >= rules.High.Rank() && !v.isAbout(found.Object) && !f.names(v, found, form) {
			return summary(found)
		}
	}
	return ""
}

// summary is a finding in one line: severity, rule and what it is about.
func summary(f *rules.Finding) string {
	s := fmt.Sprintf("%s %s", f.Severity, f.Name)
	if o := f.Object; o != nil {
		return strings.TrimSpace(fmt.Sprintf("%s %s %s", s, o.Kind, strings.TrimPrefix(o.Namespace+"/"+o.Name, "/")))
	}
	return strings.TrimSpace(s + " " + f.Culprit.Function)
}
