package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/all"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/match"
)

var today = time.Date(2026, 3, 4, 23, 0, 0, 0, time.UTC)

// write puts a file into a new folder's tree and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read1(t *testing.T, text string) *Config {
	t.Helper()
	c, err := Load(write(t, t.TempDir(), Name, text), true, today)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFind_TheNearestConfigUpToTheHomeOfTheRepository(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"repo/.git", "repo/a/b", "work/a", "nested/inner/.git/x", "nested/inner/c"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "repo/"+Name, "")
	write(t, dir, "work/a/"+Name, "")
	write(t, dir, "work/"+Name, "")
	write(t, dir, "nested/"+Name, "")
	for _, c := range []struct{ in, want string }{
		{"repo/a/b", "../../" + Name},
		{"repo", Name}, // beside .git
		{"work/a", Name},
		{"nested/inner/c", ""}, // above the repository
		{"nested/inner", ""},
	} {
		t.Chdir(filepath.Join(dir, c.in))
		if got := filepath.ToSlash(Find()); got != c.want {
			t.Errorf("in %s: found %q, want %q", c.in, got, c.want)
		}
	}
}

// wrong are files that are refused, each with the place and words of its error. schema says that the JSON Schema for
// editors refuses the file too; what it can't know is for triage alone.
var wrong = []struct {
	text, place, want string
	schema            bool
}{
	{"ignor: []\n", ":1:1:", "unknown field", true},
	{"ignore:\n  - rule: TR101\n    resaon: x\n", ":3:5:", "unknown field", true},
	{"ignore:\n  - rule: TR101\n    until: 2030-01-01\n", ":2:9:", "reason: missing", true},
	{"ignore:\n  - rule: TR101\n    reason: \" \"\n    until: 2030-01-01\n", ":3:13:", "reason: missing", true},
	{"ignore:\n  - rule: TR101\n    reason: x\n", ":2:9:", "until: \"\" is not a date", true},
	{"ignore:\n  - reason: x\n    until: 2030-01-01\n", ":2:11:", "rule: missing", true},
	{"ignore:\n  - rule: TR101\n    reason: x\n    until: 2030-02-31\n", ":4:12:", "not a date", true},
	{"ignore:\n  - rule: TR101\n    reason: x\n    until: soon\n", ":4:12:", "not a date", true},
	{"ignore:\n  - rule: TR101\n    reason: x\n    until: 2030-01-01\n    pod: '[a'\n", ":5:10:", "pod", false},
	{"ignore:\n  - rule: TR101\n    reason: x\n    until: 2030-01-01\n    culprit: '*'\n", ":5:14:", "culprit", false},
	{"ignore: TR101\n", ":1:9:", "sequence", true},
	{"severity: {TR101: hihg}\n", ":1:19:", "critical, high, medium", true},
	{"severity: {TR101: high, TR101: low}\n", ":1:25:", "already defined", false},
	{"roles: {main: {usual: 0}}\n", ":1:", "at least 1", true},
	{"roles: {main: {usual: many}}\n", ":1:23:", "", true},
	{"program: [acme.example/*]\n", ":1:11:", "import path", true},
	{"program: [/abs]\n", ":1:11:", "import path", true},
	{"rules: [../other.yaml]\n", ":1:9:", "escapes", false},
	{"rules: [folder/../../other.yaml]\n", ":1:9:", "escapes", false},
	{"rules: [absent.yaml]\n", ":1:9:", "no such file", false},
	{"rules: [folder]\n", ":1:9:", "not a regular file", false},
	{"rules: [rules.yaml]\n", "rules.yaml:1:1:", "unknown field", false},
	{"program: [a]\n---\nprogram: [b]\n", "", "several documents", false},
}

func TestLoad_WrongKeysAndValuesHaveTheirLine(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "other.yaml", "roles: []\n")
	write(t, dir, "team/folder/x", "")
	write(t, dir, "team/rules.yaml", "rulez: []\n")
	for _, c := range wrong {
		_, err := Load(write(t, dir, "team/"+Name, c.text), true, today)
		if err == nil || !strings.Contains(err.Error(), c.place) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s and %q", c.text, err, c.place, c.want)
		}
	}
}

func TestLoad_NothingOutsideOfTheConfigsFolderIsRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "secret", "roles: [secret\n")
	write(t, dir, "team/"+Name, "rules: [link.yaml]\n")
	if err := os.Symlink("../secret", filepath.Join(dir, "team/link.yaml")); err != nil {
		t.Skip(err)
	}
	_, err := Load(filepath.Join(dir, "team", Name), true, today)
	if err == nil || !strings.Contains(err.Error(), "escapes") || strings.Contains(err.Error(), "[secret") {
		t.Errorf("a link that leads out: %v", err)
	}
	write(t, dir, "linked/x", "")
	if err := os.Symlink("../secret", filepath.Join(dir, "linked", Name)); err != nil {
		t.Fatal(err)
	}
	_, err = Load(filepath.Join(dir, "linked", Name), true, today)
	if err == nil || !strings.Contains(err.Error(), "escapes") || strings.Contains(err.Error(), "[secret") {
		t.Errorf("a config that was found and is a link: %v", err)
	}
	if _, err = Load(filepath.Join(dir, "linked", Name), false, today); err == nil || !strings.Contains(err.Error(),
		"[secret") {
		t.Errorf("a link that the user names: %v", err)
	}
}

func TestLoad_AFileOfFaultsIsRefusedWithTheFirstOnes(t *testing.T) {
	dir := t.TempDir()
	for what, text := range map[string]string{
		"program: [":        strings.Repeat("'',", maxFile/4),
		"ignore: [":         strings.Repeat("{},", maxFile/4),
		"rules: [":          strings.Repeat("x,", maxFile/3),
		"ignore: &a [":      strings.Repeat("*a,", maxFile/4),
		"severity: {a: b, ": strings.Repeat("[", maxFile/2),
	} {
		_, err := Load(write(t, dir, "many/"+Name, what+text+"]\n"), true, today)
		if err == nil || strings.Count(err.Error(), "\n") > 3*maxFaults {
			t.Errorf("%s: %.200v", what, err)
		}
	}
	huge := write(t, dir, "big/"+Name, strings.Repeat("# more\n", maxFile/7+1))
	if _, err := Load(huge, true, today); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a huge file: %v", err)
	}
}

const whole = `program: [acme.example/shop]
ignore:
  - rule: busy-wait
    culprit: acme.example/shop/poll.**
    pod: shop-*
    namespace: shop
    reason: replaced in 1.4
    until: 2026-03-04
severity: {TR101: low}
roles: {main: {usual: 3}}
rules: []
`

func TestSchema_IsThatOfTheType(t *testing.T) {
	data, err := os.ReadFile("../../docs/config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	compare(t, "", reflect.TypeFor[Def](), tree)

	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("../../docs/config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text string) error {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		data, _ := json.Marshal(v)
		doc, _ := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
		return schema.Validate(doc)
	}
	if err := validate(whole); err != nil {
		t.Errorf("the whole config: %v", err)
	}
	read1(t, whole)
	for _, c := range wrong {
		if c.schema && validate(c.text) == nil {
			t.Errorf("the schema takes %q", c.text)
		}
	}
}

func TestTheDocumentedConfigLoads(t *testing.T) {
	doc, err := os.ReadFile("../../docs/own-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "```yaml\n# yaml-language-server: $schema=")
	example, _, _ = strings.Cut("# "+example, "```")
	dir := t.TempDir()
	write(t, dir, "rules/acme.yaml", "roles: [{name: acme, doc: waits, match: [{at: [acme.example/shop.Run]}]}]\n")
	c, err := Load(write(t, dir, Name, example), true, today)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Adjust(all.Rules(), declared.Roles().Defs()); err != nil || len(c.Ignore) == 0 || len(c.Files) != 1 {
		t.Errorf("%v: %+v", err, c.Def)
	}
}

// compare reports fields that a type and a schema do not share.
func compare(t *testing.T, at string, typ reflect.Type, schema map[string]any) {
	t.Helper()
	sub := func(key string) map[string]any {
		m, _ := schema[key].(map[string]any)
		return m
	}
	switch typ.Kind() {
	case reflect.Slice:
		compare(t, at+"[]", typ.Elem(), sub("items"))
	case reflect.Map:
		compare(t, at+".*", typ.Elem(), sub("additionalProperties"))
	case reflect.Struct:
		left := sub("properties")
		for i := range typ.NumField() {
			key := typ.Field(i).Tag.Get("yaml")
			p, ok := left[key].(map[string]any)
			if !ok {
				t.Errorf("the schema has no %s.%s", at, key)
				continue
			}
			compare(t, at+"."+key, typ.Field(i).Type, p)
			delete(left, key)
		}
		for key := range left {
			t.Errorf("the type has no %s.%s", at, key)
		}
	case reflect.Int:
		if schema["type"] != "integer" {
			t.Errorf("%s: type %v", at, schema["type"])
		}
	case reflect.String:
		words, _ := schema["enum"].([]any)
		for _, w := range words {
			if rules.Severity(w.(string)).Rank() < 0 {
				t.Errorf("%s: %v is no severity", at, w)
			}
		}
		if schema["type"] != "string" && len(words) != 5 {
			t.Errorf("%s: %v", at, schema)
		}
	}
}

func TestJudge_OnlyWhatAnEntryIsAboutIsIgnored(t *testing.T) {
	of := func(change func(*rules.Finding)) rules.Finding {
		f := rules.Finding{Rule: "TR101", Name: "busy-wait", Severity: rules.High,
			Culprit:   rules.Place{Function: "acme.example/shop/poll.(*Listener).expire.func1"},
			Pods:      []rules.PodCount{{Namespace: "shop", Pod: "shop-0"}, {Namespace: "shop", Pod: "shop-1"}},
			PodsTotal: 2}
		change(&f)
		return f
	}
	c := read1(t, whole)
	for _, tc := range []struct {
		name    string
		finding rules.Finding
		ignored bool
	}{
		{"all of it fits, on the last day", of(func(*rules.Finding) {}), true},
		{"another rule", of(func(f *rules.Finding) { f.Rule, f.Name = "TR102", "busy-poll" }), false},
		{"another culprit", of(func(f *rules.Finding) { f.Culprit.Function = "acme.example/shop/queue.Run" }), false},
		{"one pod of several is another", of(func(f *rules.Finding) { f.Pods[1].Pod = "cart-0" }), false},
		{"another namespace", of(func(f *rules.Finding) { f.Pods[0].Namespace = "stage" }), false},
		{"more pods than are named", of(func(f *rules.Finding) { f.PodsTotal = 200 }), false},
		{"no pod is known", of(func(f *rules.Finding) { f.Pods, f.PodsTotal = nil, 0 }), false},
		{"the pod is the object", of(func(f *rules.Finding) {
			f.Pods, f.PodsTotal, f.Object = nil, 0, &rules.Object{Kind: "Pod", Namespace: "shop", Name: "shop-7"}
		}), true},
		{"the object is no pod", of(func(f *rules.Finding) {
			f.Pods, f.PodsTotal, f.Object = nil, 0, &rules.Object{Kind: "Deployment", Namespace: "shop", Name: "shop-7"}
		}), false},
	} {
		kept, ignored := c.Judge([]rules.Finding{tc.finding})
		if len(kept)+len(ignored) != 1 || (len(ignored) == 1) != tc.ignored {
			t.Errorf("%s: kept %d, ignored %d", tc.name, len(kept), len(ignored))
		}
	}
	if tomorrow, err := Load(write(t, t.TempDir(), Name, whole), true, today.Add(time.Hour)); err != nil {
		t.Error(err)
	} else if kept, _ := tomorrow.Judge([]rules.Finding{of(func(*rules.Finding) {})}); len(kept) != 1 {
		t.Error("an entry ignores after its last day")
	} else if r := tomorrow.Report(); len(r.Expired) != 1 || r.Expired[0].Reason != "replaced in 1.4" {
		t.Errorf("expired: %+v", r.Expired)
	}
	if r := c.Report(); len(r.Expired) != 0 {
		t.Errorf("on its last day an entry is expired: %+v", r.Expired)
	}
}

func TestJudge_SetsTheSeverityOnceAndSaysSo(t *testing.T) {
	c := read1(t, "severity: {busy-wait: low}\n")
	found := []rules.Finding{
		{Rule: "TR101", Name: "busy-wait", Severity: rules.High}, {Rule: "TR102", Name: "x", Severity: rules.High},
	}
	kept, _ := c.Judge(found)
	kept, _ = c.Judge(kept)
	if f := kept[0]; f.Severity != rules.Low || len(f.Notes) != 1 || !strings.Contains(f.Notes[0],
		"the rule gives high") {
		t.Errorf("%+v", f)
	}
	if kept[1].Severity != rules.High || len(kept[1].Notes) != 0 || found[0].Severity != rules.High {
		t.Errorf("another rule's, or the caller's, finding changed: %+v", kept[1])
	}
	if none, ignored := (*Config)(nil).Judge(found); len(none) != 2 || ignored != nil {
		t.Error("no config changes findings")
	}
}

func TestAdjust_NamesThatNothingHasAreErrors(t *testing.T) {
	roles := []match.RoleDef{{Name: "main", Usual: 1}, {Name: "timer", Usual: 4}}
	all := []*rules.Rule{{ID: "TR101", Name: "busy-wait"}}
	if err := read1(t, whole).Adjust(all, roles); err != nil || roles[0].Usual != 3 || roles[1].Usual != 4 {
		t.Errorf("error %v, roles %+v", err, roles)
	}
	for text, want := range map[string]string{
		"severity: {tr101: low}\n":                                   `:1:19: severity.tr101: no rule has the id or name "tr101"`,
		"roles: {mian: {usual: 2}}":                                  `no role has the name "mian"`,
		"ignore:\n  - {rule: TR999, reason: x, until: 2030-01-01}\n": `:2:12: ignore[0].rule: no rule`,
	} {
		if err := read1(t, text).Adjust(all, roles); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(whole)
	for _, c := range wrong {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Load(write(t, t.TempDir(), Name, text), true, today)
		if err != nil {
			return
		}
		_ = c.Adjust(nil, nil)
		c.Judge([]rules.Finding{{Rule: "TR101", Name: "busy-wait", Culprit: rules.Place{Function: "a/b.C"}}})
	})
}
