package ci_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gotriage/triage/report/ci"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// schemaModule is a Go module with a copy of OASIS' schema of SARIF 2.1.0, which no code here needs.
const schemaModule = "github.com/securego/gosec/v2@v2.30.0"

// sarifSchema is OASIS' schema; the test is skipped where neither the module cache nor a proxy has it.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", schemaModule)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(out, &module) != nil || module.Dir == "" {
		t.Skipf("no schema: go mod download %s: %v", schemaModule, err)
	}
	text, err := os.ReadFile(filepath.Join(module.Dir, "report", "sarif", "testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Skipf("no schema: %v", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const hostile = "a\x1b[31m [click](https://evil.example) ]]> <script>\x00 \u202e\xff {0} & \"b\"\nc"

// testReport has an alarm in the checkout, a doubtful finding in a module, one about an object, hostile texts, and
// inputs without findings.
func testReport() *schema.Report {
	finding := func(rule string, s rules.Severity, c rules.Confidence, file string) rules.Finding {
		return rules.Finding{
			Rule: rule, Name: "test-timeout", Category: rules.Deadlock, Severity: s, Confidence: c,
			Title:    "shop.f waits",
			Culprit:  rules.Place{Function: "example.com/shop.f", File: file, Line: 7},
			Evidence: []rules.Evidence{{Input: "logs/go test.log", Line: 30, Text: "goroutine 7 [select]"}},
			Why:      "It waits.", Fix: "End it.", Next: rules.Commands("go test ./..."),
			Fingerprint: "30212fac91df43e9",
		}
	}
	alarm := finding("TR216", rules.High, rules.ConfMedium, "example.com/shop/shop.go")
	alarm.Code = &rules.Code{Dir: ".", File: "shop/shop.go", Line: 7, Fits: rules.FitsYes}
	doubtful := finding("TR216", rules.High, rules.ConfLow, "/modules/dep@v1.2.3/dep.go")
	doubtful.Code = &rules.Code{Dir: "/modules", File: "dep@v1.2.3/dep.go", Line: 7, Fits: rules.FitsYes}
	doubtful.Against = []string{"The dump is a part."}
	object := finding("TR730", rules.Medium, rules.ConfHigh, "")
	object.Culprit, object.Object = rules.Place{}, &rules.Object{Kind: "Pod", Namespace: "shop", Name: "web-1"}
	object.Evidence[0].Line = 0
	evil := finding("TR9"+hostile, rules.Critical, rules.ConfHigh, "/src/shop/../../../etc/passwd")
	evil.Name, evil.Title, evil.Why, evil.Fingerprint, evil.Notes = hostile, hostile, hostile, hostile,
		[]string{hostile}
	evil.Culprit.Function, evil.Evidence[0].Input, evil.Evidence[0].Text = hostile, hostile, hostile
	r := schema.New("v1.2.3")
	r.Findings = []rules.Finding{evil, alarm, doubtful, object}
	r.Inputs = []schema.Input{{Path: "quiet.log"}, {Path: "logs/go test.log"}}
	r.Skipped = []schema.Skipped{{Path: "absent.log", Reason: "no such file", Named: true}, {Path: "x.bin",
		Reason: "binary"}}
	r.Dumps, r.Rules.Checked = []schema.Dump{{}}, 78
	return r
}

func options() ci.Options {
	return ci.Options{Dir: "/src/shop", Doc: func(id string) rules.Doc {
		if id != "TR216" {
			return rules.Doc{}
		}
		return rules.Doc{
			Title: "A test did not end", Why: "Its alarm went off.", Fix: "Look at what waits.",
			FalsePositives: "None.",
			Refs:           []string{"testing", "https://pkg.go.dev/testing"},
		}
	}}
}

// A log is what the tests look at of SARIF.
type log struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID, HelpURI string
					Help        struct{ Text string }
				}
			}
		}
		Results []struct {
			RuleID, Level string
			RuleIndex     int
			Message       struct{ Text string }
			Locations     []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
					Region           struct{ StartLine int }
				}
				LogicalLocations []struct{ FullyQualifiedName string }
			}
			PartialFingerprints map[string]string
			Suppressions        []struct{ Kind, Status, Justification string }
		}
	}
}

func sarif(t *testing.T, r *schema.Report, o ci.Options) (l log, text []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := ci.SARIF(&b, r, o); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &l); err != nil {
		t.Fatal(err)
	}
	return l, b.Bytes()
}

func TestSARIFFollowsTheSchemaOfOASIS(t *testing.T) {
	s := sarifSchema(t)
	for _, r := range []*schema.Report{testReport(), ignoringReport(), schema.New("")} {
		for _, o := range []ci.Options{options(), {}} {
			_, text := sarif(t, r, o)
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(v); err != nil {
				t.Errorf("%d findings: %v", len(r.Findings), err)
			}
		}
	}
}

func TestSARIFHasAlarmsAsErrorsAndThePlaceInTheRepository(t *testing.T) {
	l, _ := sarif(t, testReport(), options())
	run := l.Runs[0]
	if rule := run.Tool.Driver.Rules[1]; rule.ID != "TR216" || rule.HelpURI != "https://pkg.go.dev/testing" ||
		rule.Help.Text != "Look at what waits.\n\nFalse positives: None." || len(run.Tool.Driver.Rules) != 3 {
		t.Errorf("rules: %+v", run.Tool.Driver.Rules)
	}
	for i, want := range []struct {
		rule           int
		level, uri, id string
		line           int
	}{
		{0, "error", "", "", 30},
		{1, "error", "shop/shop.go", "%SRCROOT%", 7},
		{1, "note", "logs/go%20test.log", "", 30},
		{2, "warning", "logs/go%20test.log", "", 0},
	} {
		got := run.Results[i]
		at := got.Locations[0].PhysicalLocation
		if got.RuleIndex != want.rule || got.Level != want.level || at.Region.StartLine != want.line ||
			at.ArtifactLocation.URIBaseID != want.id || i > 0 && at.ArtifactLocation.URI != want.uri {
			t.Errorf("result %d: %+v, want %+v", i, got, want)
		}
		if i > 0 && got.PartialFingerprints["triage/v1"] != "30212fac91df43e9" {
			t.Errorf("result %d: fingerprints %v", i, got.PartialFingerprints)
		}
	}
	if name := run.Results[3].Locations[0].LogicalLocations[0].FullyQualifiedName; name != "Pod shop/web-1" {
		t.Errorf("the object is %q", name)
	}
}

// ignoringReport is testReport whose second finding an entry of the team's config ignores.
func ignoringReport() *schema.Report {
	r := testReport()
	r.Ignored = []schema.Ignored{{Finding: r.Findings[1],
		By: schema.Exception{Rule: "TR216", Reason: hostile, Until: "2999-12-31"}}}
	r.Findings = append(r.Findings[:1:1], r.Findings[2:]...)
	return r
}

func TestWhatTheTeamIgnoresIsASuppressedResultWithTheReason(t *testing.T) {
	l, text := sarif(t, ignoringReport(), options())
	results := l.Runs[0].Results
	if len(results) != 4 {
		t.Fatalf("%d results, want 4", len(results))
	}
	for i, r := range results[:3] {
		if r.Suppressions == nil || len(r.Suppressions) != 0 {
			t.Errorf("result %d is not ignored: suppressions %v, want an empty list", i, r.Suppressions)
		}
	}
	got := results[3]
	if len(got.Suppressions) != 1 || got.Level != "error" || got.RuleID != "TR216" ||
		got.Locations[0].PhysicalLocation.ArtifactLocation.URI != "shop/shop.go" {
		t.Fatalf("the ignored result: %+v", got)
	}
	if s := got.Suppressions[0]; s.Kind != "external" || s.Status != "accepted" ||
		!strings.HasSuffix(s.Justification, "(until 2999-12-31)") || !strings.Contains(s.Justification, "evil.example") {
		t.Errorf("%+v", s)
	}
	if bytes.ContainsAny(text, "\x1b\x00\u202e") {
		t.Errorf("the reason is not escaped:\n%s", text)
	}
	if _, text := sarif(t, testReport(), options()); bytes.Contains(text, []byte("suppressions")) {
		t.Error("without ignored findings results have suppressions")
	}
}

func TestAComparisonHasItsNewFindings(t *testing.T) {
	r, all := schema.New(""), testReport()
	r.Diff = &schema.Diff{}
	r.Diff.Findings.New = all.Findings[:2]
	if l, _ := sarif(t, r, options()); len(l.Runs[0].Results) != 2 {
		t.Errorf("%d results", len(l.Runs[0].Results))
	}
	var b bytes.Buffer
	if err := ci.JUnit(&b, r, options()); err != nil || strings.Count(b.String(), "<testcase ") != 2 {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestAPathIsThatOfTheRepository(t *testing.T) {
	for _, tt := range []struct {
		dir, file, culprit, want string
	}{
		{".", "shop/shop.go", "", "shop/shop.go"},
		{"sub", "shop.go", "", "sub/shop.go"},
		{"../other", "shop.go", "", "shop.go"},
		{"/src/shop", "shop.go", "", "shop.go"},
		{"/src/shop/sub", "shop.go", "", "sub/shop.go"},
		{"/elsewhere", "shop.go", "", "shop.go"},
		{"/modules", "dep@v1.2.3/dep.go", "", "a.log"},
		{"", "", "/src/shop/x.go", "x.go"},
		{"", "", "/src/shopping/x.go", "a.log"},
		{"", "", "/src/shop/../x.go", "a.log"},
		{"", "", "example.com/shop/x.go", "a.log"},
	} {
		f := rules.Finding{
			Rule: "TR1", Name: "x", Title: "x", Culprit: rules.Place{File: tt.culprit, Line: 1},
			Evidence: []rules.Evidence{{Input: "a.log", Line: 1}},
		}
		if tt.dir != "" {
			f.Code = &rules.Code{Dir: tt.dir, File: tt.file, Line: 1, Fits: rules.FitsYes}
		}
		r := schema.New("")
		r.Findings = []rules.Finding{f}
		l, _ := sarif(t, r, options())
		if got := l.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestHostileTextsAreNoLinksAndNoMarkup(t *testing.T) {
	l, text := sarif(t, testReport(), ci.Options{})
	if message := l.Runs[0].Results[0].Message.Text; strings.Contains(message, "](") ||
		strings.ContainsAny(message, "\x1b\x00\u202e") {
		t.Errorf("message %q", message)
	}
	var b bytes.Buffer
	if err := ci.JUnit(&b, testReport(), ci.Options{}); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"SARIF": string(text), "JUnit": b.String()} {
		if strings.ContainsAny(s, "\x1b\x00\u202e") || strings.Contains(s, "<script>") {
			t.Errorf("%s holds a hostile text as it is", name)
		}
	}
}

func TestJUnitHasASuiteForEachInputAndACaseForEachFinding(t *testing.T) {
	type reason struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Tests int    `xml:"tests,attr"`
			Cases []struct {
				Class   string  `xml:"classname,attr"`
				Name    string  `xml:"name,attr"`
				File    string  `xml:"file,attr"`
				Failure *reason `xml:"failure"`
				Error   *reason `xml:"error"`
				Skipped *reason `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	var b bytes.Buffer
	if err := ci.JUnit(&b, testReport(), options()); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 7 || got.Failures != 3 || got.Errors != 1 || got.Skipped != 2 || len(got.Suites) != 5 {
		t.Fatalf("%d tests, %d failures, %d errors, %d skipped, %d suites", got.Tests, got.Failures, got.Errors,
			got.Skipped,
			len(got.Suites))
	}
	quiet, log := got.Suites[0].Cases[0], got.Suites[1].Cases
	if quiet.Name != "no finding by 78 rules" || quiet.Failure != nil || quiet.Skipped != nil {
		t.Errorf("an input without findings: %+v", quiet)
	}
	if alarm := log[0]; alarm.Class != "TR216 test-timeout" || alarm.File != "shop/shop.go" || alarm.Failure == nil ||
		!strings.Contains(alarm.Failure.Text, "Fix: End it.") || !strings.Contains(alarm.Failure.Text,
		"go test.log:30") {
		t.Errorf("an alarm: %+v", alarm)
	}
	if doubtful := log[1]; doubtful.Failure != nil || doubtful.Skipped.Message != "The dump is a part." {
		t.Errorf("a doubtful finding: %+v", doubtful)
	}

	nothing := schema.New("")
	nothing.Inputs = []schema.Input{{Path: "a.log"}}
	b.Reset()
	if err := ci.JUnit(&b, nothing, options()); err != nil || !strings.Contains(b.String(), "<skipped") {
		t.Errorf("an input with nothing to look at: %v\n%s", err, b.String())
	}

	shared := schema.New("")
	shared.Inputs = []schema.Input{{Path: "a.log"}, {Path: "b.log"}}
	shared.Findings = []rules.Finding{{Title: "stuck", Severity: rules.High, Confidence: rules.ConfHigh,
		Evidence: []rules.Evidence{{Input: "a.log", Line: 1}}, Sources: []string{"a.log", "b.log", "no input"}}}
	b.Reset()
	if err := ci.JUnit(&b, shared, options()); err != nil || !strings.Contains(b.String(),
		"its findings are in a.log") ||
		strings.Contains(b.String(), "no finding") || strings.Contains(b.String(), "no input") {
		t.Errorf("an input whose finding is in another's suite: %v\n%s", err, b.String())
	}
}
