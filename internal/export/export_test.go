package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/internal/export"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// hostile is a name with what a terminal, a CSV or a page would act on.
const hostile = "main.f\x1b[31m\u202e</script>;x y"

// profileOf makes a profile of stacks, written leaf first with spaces between functions.
func profileOf(unit string, stacks map[string]int64) *pprof.Profile {
	p := &pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "goroutine", Unit: unit}},
		PeriodType: &pprof.ValueType{Type: "goroutine", Unit: unit}, Period: 1,
	}
	locations := map[string]*pprof.Location{}
	for stack, n := range stacks {
		s := &pprof.Sample{Value: []int64{n}, Label: map[string][]string{schema.LabelState: {"select"}}}
		for name := range strings.SplitSeq(stack, "|") {
			l := locations[name]
			if l == nil {
				f := &pprof.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: "/src/x.go"}
				l = &pprof.Location{ID: f.ID, Line: []pprof.Line{{Function: f, Line: 7}}}
				locations[name] = l
				p.Function, p.Location = append(p.Function, f), append(p.Location, l)
			}
			s.Location = append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

func set(sources ...schema.StackSource) *schema.Stacks { return &schema.Stacks{Sources: sources} }

func dump(input string, stacks map[string]int64) schema.StackSource {
	return schema.StackSource{Input: input, Line: 3, Pod: "shop/web-1", Kind: "goroutine", Profile: profileOf("count", stacks)}
}

func write(t *testing.T, format string, s *schema.Stacks) string {
	t.Helper()
	var b bytes.Buffer
	if err := export.Write(&b, format, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFoldedStacksRunFromTheRootToTheStateAndAddUp(t *testing.T) {
	got := write(t, "folded", set(
		dump("a.txt", map[string]int64{"main.wait|main.main": 2, hostile: 1}),
		dump("b.txt", map[string]int64{"main.wait|main.main": 3}),
	))
	want := "main.f\\x1b[31m\\u202e</script>:x y;[select] 1\nmain.main;main.wait;[select] 5\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestPprofLabelsTellMergedDumpsApart(t *testing.T) {
	text := write(t, "pprof", set(dump("a.txt", map[string]int64{"main.x": 2}), dump("b.txt", map[string]int64{"main.x": 3})))
	p, err := pprof.ParseData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	byInput := map[string]int64{}
	for _, s := range p.Sample {
		byInput[s.Label["input"][0]+" "+s.Label["pod"][0]] += s.Value[0]
	}
	if byInput["a.txt:3 shop/web-1"] != 2 || byInput["b.txt:3 shop/web-1"] != 3 || len(byInput) != 2 {
		t.Errorf("by input: %v", byInput)
	}
}

func TestOneFormHoldsOneKindOfValues(t *testing.T) {
	mixed := set(dump("a.txt", map[string]int64{"main.x": 2}),
		schema.StackSource{Input: "cpu.pb.gz", Kind: "cpu", Profile: profileOf("count", map[string]int64{"main.x": 2})})
	for _, format := range []string{"pprof", "folded"} {
		err := export.Write(&bytes.Buffer{}, format, mixed)
		if !errors.Is(err, export.ErrMixed) || !strings.Contains(err.Error(), "a.txt:3 is a goroutine profile, cpu.pb.gz a cpu profile") {
			t.Errorf("%s: %v", format, err)
		}
		if err := export.Write(&bytes.Buffer{}, format, set()); err == nil {
			t.Errorf("%s: nothing to export is no error", format)
		}
	}
}

func TestJSONLinesHoldFindingsThenStacks(t *testing.T) {
	s := set(dump("a.txt", map[string]int64{hostile: 2}))
	s.Findings = []rules.Finding{{Rule: "TR101", Title: "it spins " + hostile}}
	lines := strings.Split(strings.TrimSuffix(write(t, "json-lines", s), "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, record := range []string{"finding", "stack"} {
		var v struct{ Record string }
		if err := json.Unmarshal([]byte(lines[i]), &v); err != nil || v.Record != record {
			t.Errorf("line %d is a %q: %v", i+1, v.Record, err)
		}
	}
}

func TestNoFormHoldsWhatATerminalActsOn(t *testing.T) {
	for _, format := range export.Formats() {
		if format == "pprof" { // compressed
			continue
		}
		s := set(dump("a\x1b.txt", map[string]int64{hostile + "|main.main": 2}))
		s.Findings = []rules.Finding{{Title: hostile}}
		if text := write(t, format, s); strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%s holds a character that a terminal acts on: %q", format, text)
		}
	}
	p, err := pprof.ParseData([]byte(write(t, "pprof", set(dump("a.txt", map[string]int64{hostile: 2})))))
	if err != nil || strings.ContainsAny(p.String(), "\x1b\u202e") {
		t.Errorf("the profile: %v", err)
	}
}
