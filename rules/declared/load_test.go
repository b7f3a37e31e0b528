package declared

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
)

// whole is a rule file without a fault; tests change one line of it.
const whole = `rules:
  - id: ACME001
    name: stuck-upload
    category: leak
    severity: medium
    confidence: low
    finds: uploads that hang
    match:
      - class: [chan send]
        at: ["example.com/a.(*Uploader).put"]
        through: ["example.com/a/retry.*"]
        count: {min: 2}
        except:
          - creator: ["example.com/a.test*"]
    when: count > 1 and goroutines >= count
    title: "{culprit} hangs in {goroutines}{waiting}"
    why: they stand at {file}:{line}
    fix: close the channel in {creator}
    false_positives: none known
    next: [logs]
roles:
  - name: uploader
    doc: waits for uploads
    idle: true
    match:
      - at: ["example.com/a.(*Uploader).wait"]
`

func TestLoadReadsRulesAndRoles(t *testing.T) {
	f, err := Load("mine.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Rules) != 1 || f.Rules[0].ID != "ACME001" || len(f.Roles) != 1 || f.Roles[0].Name != "uploader" {
		t.Errorf("%+v", f)
	}
	if err := rules.Validate(f.Rules); err != nil {
		t.Error(err)
	}
}

func TestLoadErrorsPointAtTheFault(t *testing.T) {
	for _, tt := range []struct {
		claim, old, new string
		line            int
		say, under      string // what the caret is under, "" where any place in the line will do
	}{
		{"a field that isn't", "severity: medium", "sevrity: medium", 5, `unknown field "sevrity"`, "sevrity"},
		{"a severity that isn't", "severity: medium", "severity: bad", 5, `unknown severity "bad"`, "bad"},
		{"a category that isn't", "category: leak", "category: leek", 4, `unknown category "leek"`, "leek"},
		{"an id of triage's own", "id: ACME001", "id: TR001", 2, "reserved for triage", "TR001"},
		{"an id without a number", "id: ACME001", "id: acme", 2, "three digits", "acme"},
		{"a class that isn't", "[chan send]", "[chan sent]", 9, `unknown class "chan sent"`, "chan sent"},
		{"a pattern with arguments", `"example.com/a.(*Uploader).put"`, `"example.com/a.Put(0x1)"`, 10,
			"without arguments", ""},
		{"a pattern without a function", `"example.com/a.(*Uploader).put"`, `"example.com/a"`, 10, "names no function",
			""},
		{"an exception for everything", `- creator: ["example.com/a.test*"]`, "- count: {min: 0}", 14,
			"excepts everything", ""},
		{"a condition over a name that isn't", "when: count > 1", "when: cuont > 1", 15, "unknown name cuont", "cuont"},
		{"a condition that is no condition", "when: count > 1 and goroutines >= count", "when: count + 1", 15,
			"expected bool", ""},
		{"a condition that breaks off", "when: count > 1 and goroutines >= count", "when: count > (1", 15,
			"unexpected token", ""},
		{"a condition on the clock", "when: count > 1", "when: now().Year() > 1", 15, "now", ""},
		{"a condition on the environment", "when: count > 1", `when: env("HOME") != ""`, 15, "unknown name env", ""},
		{"a placeholder that isn't", "{culprit} hangs", "{pid} hangs", 16, "unknown placeholder {pid}", ""},
		{"a brace that isn't closed", "{culprit} hangs", "{culprit hangs", 16, "", ""},
		{"a command that isn't", "next: [logs]", "next: [rm]", 20, `unknown command "rm"`, "rm"},
		{"a missing fix", "    fix: close the channel in {creator}\n", "", 2, "missing: what to do", ""},
		{"a role of a mere state", `at: ["example.com/a.(*Uploader).wait"]`, "class: [select]", 26,
			"a state alone says nothing", ""},
		{"a usual number that is none", "doc: waits for uploads", "doc: waits for uploads\n    usual: -1", 24, "not a number", ""},
		{"broken YAML", "severity: medium", "severity: [medium", 6, "", ""},
		{"a wrong kind of value", "count: {min: 2}", "count: {min: many}", 12, "", ""},
		{"a second document", "roles:\n", "---\nroles:\n", 0, "the file has several documents", ""},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			text := strings.Replace(whole, tt.old, tt.new, 1)
			if text == whole {
				t.Fatal("the change does not change anything")
			}
			_, err := Load("mine.yaml", []byte(text))
			le, ok := errors.AsType[*LoadError](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(le.Message, tt.say) || (tt.line > 0 && le.Line != tt.line) {
				t.Errorf("line %d, want %d: %v", le.Line, tt.line, err)
			}
			if tt.under != "" && !strings.HasPrefix(le.Source[min(max(le.Column-1, 0), len(le.Source)):], tt.under) {
				t.Errorf("the caret is not under %q:\n%v", tt.under, err)
			}
		})
	}
}

func TestLoadErrorPrintsTheLineWithACaret(t *testing.T) {
	_, err := Load("mine.yaml", []byte(strings.Replace(whole, "severity: medium", "severity: bad", 1)))
	want := "mine.yaml:5:15: severity: unknown severity \"bad\"; the severities are critical, high, medium, " +
		"low, info\n" +
		"  5 |     severity: bad\n" +
		"    |               ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestLoadReportsEveryFaultyRule(t *testing.T) {
	two := "rules:\n  - {id: A001, name: x}\n  - {id: B001, name: y}\n"
	_, err := Load("mine.yaml", []byte(two))
	if err == nil || !strings.Contains(err.Error(), "mine.yaml:2:") || !strings.Contains(err.Error(), "mine.yaml:3:") {
		t.Errorf("error %v", err)
	}
}

func TestLoadRefusesWhatIsNoRuleFile(t *testing.T) {
	for _, text := range []string{"", "rules: []\n", "- 1\n", "hello", strings.Repeat("#", MaxRuleFile+1)} {
		if _, err := Load("x.yaml", []byte(text)); err == nil {
			t.Errorf("%.20q was taken", text)
		}
	}
}

func TestADeclaredRuleLooksBeforeItEndsTheProcess(t *testing.T) {
	f, err := Load("mine.yaml", []byte(strings.Replace(whole, "[logs]", "[dump, logs]", 1)))
	if err != nil {
		t.Fatal(err)
	}
	stack := []string{"example.com/a/retry.Do", "example.com/a.(*Uploader).put", "example.com/a.(*Uploader).run"}
	d := dumptest.DumpOf(stackparse.ClassChanSend, "example.com/a.Start", stack...)
	b := d.Buckets[0]
	b.Goroutines = append(b.Goroutines, stackparse.Goroutine{ID: 9, Line: 12}, stackparse.Goroutine{ID: 3, Line: 22})
	b.Count, b.MaxMinutes, d.Goroutines = 3, 4, 3
	target := rules.Target{Namespace: "ns", Pod: "web-0", Container: "app"}
	found := f.Rules[0].Apply(&rules.Pass{Dumps: []*rules.DumpInput{{Dump: d, Input: "a.log", Target: target}}})
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	dump := target.CollectDump()
	want := append([]rules.Step{dump[0], target.Logs()}, dump[1:]...)
	if got := found[0].Next; !slices.Equal(got, want) {
		t.Errorf("next %+v, want %+v", got, want)
	}
}

func TestDeclaredRuleFiresOnceForACulprit(t *testing.T) {
	f, err := Load("mine.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	stack := []string{"example.com/a/retry.Do", "example.com/a.(*Uploader).put", "example.com/a.(*Uploader).run"}
	d := dumptest.DumpOf(stackparse.ClassChanSend, "example.com/a.Start", stack...)
	b := d.Buckets[0]
	b.Goroutines = append(b.Goroutines, stackparse.Goroutine{ID: 9, Line: 12}, stackparse.Goroutine{ID: 3, Line: 22})
	b.Count, b.MaxMinutes, d.Goroutines = 3, 4, 3
	in := &rules.DumpInput{Dump: d, Input: "a.log", Target: rules.Target{Namespace: "ns", Pod: "web-0", Container: "app"}}
	p := &rules.Pass{Dumps: []*rules.DumpInput{in}}
	found := f.Rules[0].Apply(p)
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	got := found[0]
	if got.Title != "retry.Do hangs in 3 goroutines for at least 4 minutes" || got.Why != "they stand at Do.go:1" {
		t.Errorf("title %q, why %q", got.Title, got.Why)
	}
	if ids := got.Evidence[0].Goroutines; len(ids) != 3 || ids[0] != 3 || ids[2] != 9 {
		t.Errorf("ids %v", ids)
	}
	if len(got.Next) != 1 || got.Next[0] != rules.Command("kubectl -n ns logs web-0 -c app") {
		t.Errorf("next %+v", got.Next)
	}
	b.CreatedBy.Func = "example.com/a.testStart"
	if found := f.Rules[0].Apply(p); len(found) != 0 {
		t.Error("it fires in spite of the exception")
	}
	b.CreatedBy.Func = "example.com/a.Start"
	b.Frames[0].Func = "example.com/b.Write"
	if found := f.Rules[0].Apply(p); len(found) != 0 {
		t.Error("it fires though other code lies between the leaf and `at`")
	}
	b.Frames[0].Func = stack[0]
	b.Count = 1
	if found := f.Rules[0].Apply(p); len(found) != 0 {
		t.Error("it fires under the count")
	}
}

func TestConditionsOfMatch(t *testing.T) {
	d := dumptest.DumpOf(stackparse.ClassSelect, "example.com/a.Start", "time.Sleep", "example.com/a.wait", "example.com/a.run")
	d.Labels = []string{"", "queue: orders, tier: gold"}
	d.Buckets[0].Goroutines[0].Labels = 1
	d.Buckets[0].MaxMinutes = 5
	for _, tt := range []struct {
		claim string
		match match.Match
		want  bool
	}{
		{"the state's text", match.Match{State: []string{"select"}}, true},
		{"another state", match.Match{State: []string{"IO wait"}}, false},
		{"the first shown frames", match.Match{Top: []string{"time.Sleep", "example.com/a.wait"}}, true},
		{"the first shown frames in another order", match.Match{Top: []string{"example.com/a.wait", "time.Sleep"}}, false},
		{"more first frames than there are", match.Match{Top: []string{"time.Sleep", "example.com/a.wait",
			"example.com/a.run", "a.b"}}, false},
		{"all frames", match.Match{Frames: match.FramesMatch{All: []string{"example.com/a.run", "time.Sleep"}}}, true},
		{"all frames but one", match.Match{Frames: match.FramesMatch{All: []string{"example.com/a.run", "a.b"}}}, false},
		{"no such frame", match.Match{Frames: match.FramesMatch{None: []string{"a.b"}}, Class: []stackparse.Class{"select"}}, true},
		{"a frame that must not be", match.Match{Frames: match.FramesMatch{None: []string{"example.com/a.*"}}}, false},
		{"the outermost frame", match.Match{Root: []string{"example.com/a.run"}}, true},
		{"not the outermost frame", match.Match{Root: []string{"example.com/a.wait"}}, false},
		{"enough minutes", match.Match{Minutes: match.Range{Min: 5}}, true},
		{"too many minutes", match.Match{Minutes: match.Range{Max: 4}}, false},
		{"a label", match.Match{Labels: map[string]string{"queue": "ord*"}}, true},
		{"two labels", match.Match{Labels: map[string]string{"queue": "orders", "tier": "silver"}}, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			m := match.NewPatterns()
			p, err := m.Compile(&tt.match)
			if err != nil {
				t.Fatal(err)
			}
			in := []*rules.DumpInput{{Dump: d}}
			rulestest.Prepare(in, nil)
			var v match.View
			v.Look(match.NewIndex(m, in[0].Program), d, d.Buckets[0])
			if got := p.Holds(&v); got != tt.want {
				t.Errorf("holds: %v, want %v", got, tt.want)
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("rules:\n- id: A001\n  when: 'a'\n"))
	f.Add([]byte("roles: [{name: a, match: [{at: ['*/**']}]}]"))
	d := dumptest.DumpOf(stackparse.ClassSelect, "example.com/a.Start", "time.Sleep", "example.com/a.wait")
	p := &rules.Pass{Dumps: []*rules.DumpInput{{Dump: d}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Load("x.yaml", data)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a text")
			}
			return
		}
		for _, r := range file.Rules {
			r.Apply(p)
		}
		if _, err := match.NewRoleSet(file.Roles); err != nil {
			t.Errorf("Load took roles that NewRoleSet refuses: %v", err)
		}
	})
}
