package report_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

func asJSON(t testing.TB, r *schema.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func schemaDocument(t *testing.T) map[string]any {
	t.Helper()
	data, err := os.ReadFile("../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// closed forbids every property that the schema doesn't name, so that tests see a field without documentation. The
// published schema is open: fields are only ever added.
func closed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, child := range v {
			closed(child)
		}
		if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" {
			v["additionalProperties"] = false
		}
	case []any:
		for _, child := range v {
			closed(child)
		}
	}
	return v
}

func compile(t *testing.T, doc any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("report.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("no JSON: %v\n%s", err, data)
	}
	return s.Validate(v)
}

// wellTyped is the hostile report with what the engine itself sets, enumerations and counts, as the engine sets it: a
// log can't reach those.
func wellTyped() *schema.Report {
	r := hostileReport()
	for i := range r.Inputs {
		r.Inputs[i].Kind = "pod-log"
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Severity, f.Confidence, f.Category = rules.High, rules.ConfLow, rules.Crash
		for j := range f.Path {
			f.Path[j].Class = "own"
		}
	}
	d := &r.Dumps[0]
	d.Format, d.Truncated, d.Goroutines = "debug2", "both", 6
	d.Waits[0].Holders[0].Confidence = "low"
	for i := range d.Buckets {
		b := &d.Buckets[i]
		b.Wait, b.CreatedBy.Class = "io", "own"
		for j := range b.Frames {
			b.Frames[j].Class = "own"
		}
	}
	for i := range d.Runnable {
		d.Runnable[i].Frame.Class = "own"
	}
	return r
}

func TestJSON_ValidatesAgainstThePublishedSchema(t *testing.T) {
	all := situations()
	all["hostile"] = wellTyped()
	published, strict := compile(t, schemaDocument(t)), compile(t, closed(schemaDocument(t)))
	for name, r := range all {
		data := asJSON(t, r)
		if err := validate(t, published, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := validate(t, strict, data); err != nil {
			t.Errorf("%s: a field without documentation: %v", name, err)
		}
	}
}

func TestSchema_RefusesWhatIsNoReport(t *testing.T) {
	s := compile(t, schemaDocument(t))
	for name, change := range map[string]func(r map[string]any){
		"another schema":    func(r map[string]any) { r["schema"] = "triage/v2" },
		"a null array":      func(r map[string]any) { r["findings"] = nil },
		"a missing array":   func(r map[string]any) { delete(r, "skipped") },
		"an odd severity":   func(r map[string]any) { r["findings"].([]any)[0].(map[string]any)["severity"] = "warning" },
		"a line as text":    func(r map[string]any) { r["dumps"].([]any)[0].(map[string]any)["line"] = "12" },
		"a negative count":  func(r map[string]any) { r["rules"].(map[string]any)["clear"] = -1 },
		"no fingerprint":    func(r map[string]any) { delete(r["findings"].([]any)[0].(map[string]any), "fingerprint") },
		"a culprit as text": func(r map[string]any) { r["findings"].([]any)[0].(map[string]any)["culprit"] = "main.main" },
	} {
		var v map[string]any
		if err := json.Unmarshal(asJSON(t, spinReport()), &v); err != nil {
			t.Fatal(err)
		}
		change(v)
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if validate(t, s, data) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestSchema_AcceptsFieldsThatAreAddedLater(t *testing.T) {
	data := bytes.Replace(asJSON(t, spinReport()), []byte(`"rule":`), []byte(`"added_later": [1], "rule":`), 1)
	if err := validate(t, compile(t, schemaDocument(t)), data); err != nil {
		t.Error(err)
	}
}

// TestSchema_NamesEveryFieldOfTheReport walks the report's Go type beside the schema: the same names, and required
// exactly what is never left out.
func TestSchema_NamesEveryFieldOfTheReport(t *testing.T) {
	root := schemaDocument(t)
	var walk func(path string, typ reflect.Type, schema map[string]any)
	walk = func(path string, typ reflect.Type, schema map[string]any) {
		if ref, ok := schema["$ref"].(string); ok {
			schema = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		}
		if options, ok := schema["anyOf"].([]any); ok {
			walk(path, typ, options[len(options)-1].(map[string]any))
			return
		}
		switch typ.Kind() {
		case reflect.Pointer:
			walk(path, typ.Elem(), schema)
		case reflect.Slice:
			walk(path+"[]", typ.Elem(), schema["items"].(map[string]any))
		case reflect.Struct:
			properties, _ := schema["properties"].(map[string]any)
			var names, always, required []string
			for i := range typ.NumField() {
				name, options, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
				if name == "-" {
					continue
				}
				names = append(names, name)
				if options != "omitempty" {
					always = append(always, name)
				}
				if p, ok := properties[name].(map[string]any); ok {
					walk(path+"."+name, typ.Field(i).Type, p)
				}
			}
			for _, r := range schema["required"].([]any) {
				required = append(required, r.(string))
			}
			known := make([]string, 0, len(properties))
			for name := range properties {
				known = append(known, name)
			}
			sorted := cmpopts.SortSlices(func(a, b string) bool { return a < b })
			if diff := cmp.Diff(names, known, sorted); diff != "" {
				t.Errorf("%s: fields (-Go +schema):\n%s", path, diff)
			}
			if diff := cmp.Diff(always, required, sorted); diff != "" {
				t.Errorf("%s: required (-Go +schema):\n%s", path, diff)
			}
		}
	}
	walk("report", reflect.TypeFor[schema.Report](), root)
}

func TestJSON_HasNoNullButAMissingCreator(t *testing.T) {
	all := situations()
	all["nil slices"] = &schema.Report{Findings: make([]rules.Finding, 1), Dumps: []schema.Dump{{Buckets: make([]schema.Bucket, 1),
		Runnable: make([]schema.Runnable, 1), Waits: make([]schema.Wait, 1)}}, Advice: make([]schema.Advice, 1)}
	all["nil slices"].Findings[0].Evidence = make([]rules.Evidence, 1)
	for name, r := range all {
		got := strings.ReplaceAll(string(asJSON(t, r)), `"created_by": null`, "")
		if i := strings.Index(got, "null"); i >= 0 {
			t.Errorf("%s: …%s…", name, got[max(0, i-60):i+4])
		}
	}
}

func TestJSON_KeepsEveryValue(t *testing.T) {
	all := situations()
	all["hostile"] = wellTyped()
	for name, r := range all {
		var back schema.Report
		if err := json.Unmarshal(asJSON(t, r), &back); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := *r
		found := r.Findings
		if r.Diff != nil {
			found = r.Diff.Findings.New
		}
		want.Leads, _ = leads.Rank(found, nil)
		want.Schema, want.Verdict = schema.Schema, report.Headline(r)
		// JSON knows no bytes that are no UTF-8, and Count, Creator and Named are not printed.
		sameText := cmp.Comparer(func(a, b string) bool { return string([]rune(a)) == string([]rune(b)) })
		if diff := cmp.Diff(want, back, cmpopts.EquateEmpty(), sameText, cmpopts.IgnoreFields(rules.Finding{}, "Count", "Creator"),
			cmpopts.IgnoreFields(schema.Skipped{}, "Named")); diff != "" {
			t.Errorf("%s (-report +read back):\n%s", name, diff)
		}
	}
}

func TestJSON_EscapesWhatATerminalActsOn(t *testing.T) {
	got := asJSON(t, hostileReport())
	for _, r := range string(got) {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r == 0xfeff) {
			t.Fatalf("holds %U", r)
		}
	}
	if !bytes.Contains(got, []byte(`\u202egnp.exe`)) {
		t.Error("the override is gone instead of escaped")
	}
}

func TestJSON_IsTheSameEveryTimeAndLeavesTheReportAlone(t *testing.T) {
	used, fresh := situations(), situations()
	for name, r := range used {
		first := asJSON(t, r)
		if !bytes.Equal(first, asJSON(t, r)) || !bytes.Equal(first, asJSON(t, fresh[name])) {
			t.Errorf("%s: differs", name)
		}
	}
	if diff := cmp.Diff(situations(), used); diff != "" {
		t.Error(diff)
	}
}

func TestJSON_WritesSharesThatAreNoNumberAsNone(t *testing.T) {
	r := spinReport()
	r.Findings[0].Evidence[0].Share = math.NaN()
	r.Findings[0].Path[0].Share = math.Inf(1)
	if got := string(asJSON(t, r)); strings.Contains(got, `"share"`) {
		t.Error(got)
	}
}

func TestJSON_StandsOnShortLinesWithIDsOnOne(t *testing.T) {
	r := spinReport()
	ids := make([]uint64, 100)
	for i := range ids {
		ids[i] = uint64(1_000_000 + i)
	}
	r.Findings[0].Evidence[0].Goroutines = ids
	got := string(asJSON(t, r))
	golden(t, "spin.json", got)
	if !slices.ContainsFunc(strings.Split(got, "\n"), func(l string) bool { return strings.Contains(l, "1000000, ") && strings.Contains(l, "1000099]") }) {
		t.Error("the ids are spread over lines")
	}
}

// FuzzJSON: whatever text a log holds, what comes out is JSON that reads back as it was, without a raw control
// character.
func FuzzJSON(f *testing.F) {
	f.Add("")
	f.Add(nasty)
	f.Add("\"\\ {[:,]} \u2028\U000e0041")
	f.Fuzz(func(t *testing.T, s string) {
		r := &schema.Report{Schema: schema.Schema, Skipped: []schema.Skipped{{Path: s, Reason: strings.Repeat(s, 10)}}}
		data := asJSON(t, r)
		var back schema.Report
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		plain, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		if err := json.Unmarshal(plain, &want); err != nil {
			t.Fatal(err)
		}
		if back.Skipped[0].Path != want || back.Skipped[0].Reason != strings.Repeat(want, 10) && !strings.Contains(want, "\ufffd") {
			t.Errorf("%q became %q", s, back.Skipped[0].Path)
		}
		if bytes.ContainsAny(data, "\x1b\x7f\u202e\u009b") {
			t.Errorf("raw control character in %q", data)
		}
	})
}
