package declared

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// assigned returns the dumps of a file with roles, and how many goroutines there are and have one.
func assigned(t *testing.T, path string, roles *match.RoleSet) (dumps []*rules.DumpInput, all, with int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dumptest.ParseDumps(data) {
		dumps = append(dumps, &rules.DumpInput{Dump: d, Input: filepath.Base(path)})
	}
	rulestest.Prepare(dumps, roles)
	for _, d := range dumps {
		for i, b := range d.Buckets {
			all += b.Count
			if d.Roles[i] != nil {
				with += b.Count
			}
		}
	}
	return dumps, all, with
}

func TestNearlyAllGoroutinesOfARealControllerHaveARole(t *testing.T) {
	path := filepath.Join(rulestest.Corpus(t), "dumps", "harvester-2558.txt")
	dumps, all, with := assigned(t, path, Roles())
	if all != 2764 {
		t.Fatalf("%d goroutines in %d dumps, want 2764", all, len(dumps))
	}
	if share := float64(with) / float64(all); share < 0.97 {
		t.Errorf("%d of %d goroutines (%.1f %%) have a role, want 97 %%", with, all, share*100)
	}
	for _, d := range dumps {
		for i, b := range d.Buckets {
			if d.Roles[i] == nil {
				t.Logf("no role: %d × %s [%s]", b.Count, b.Frames[0].Func, b.Class)
			}
			for _, f := range b.Frames {
				if f.Func == "runtime.Gosched" && d.Roles[i] != nil {
					t.Errorf("the spinner has the role %s", d.Roles[i].Name)
				}
			}
		}
	}
}

// TestRolesOfMadeUpGoroutines holds roles against the goroutines of testdata/roles.txt.
func TestRolesOfMadeUpGoroutines(t *testing.T) {
	text, err := os.ReadFile("testdata/roles.txt")
	if err != nil {
		t.Fatal(err)
	}
	header := regexp.MustCompile(`^(.+) \[(.+)\]: (\S+)$`)
	roles := Roles()
	blocks := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r", "")), "\n\n")
	for _, block := range blocks[1:] {
		lines := strings.Split(block, "\n\t")
		m := header.FindStringSubmatch(lines[0])
		if m == nil {
			t.Fatalf("%q is no claim", lines[0])
		}
		stack := lines[1:]
		creator, started := strings.CutPrefix(stack[len(stack)-1], "created by ")
		if started {
			stack = stack[:len(stack)-1]
		} else {
			creator = ""
		}
		t.Run(m[1], func(t *testing.T) {
			d := dumptest.DumpOf(stackparse.Class(m[2]), creator, stack...)
			got := "none"
			if r := match.NewAssigner(frame.Program{Module: "example.com/a"}, roles).Assign(d)[0]; r != nil {
				got = r.Name
			}
			if got != m[3] {
				t.Errorf("role %s, want %s", got, m[3])
			}
		})
	}
}

func TestAssignGivesNothingForAnEmptyStack(t *testing.T) {
	d := &stackparse.Dump{Buckets: []*stackparse.Bucket{{Count: 1}}}
	if got := match.NewAssigner(frame.Program{}, Roles()).Assign(d); len(got) != 1 || got[0] != nil {
		t.Errorf("roles %v", got)
	}
}
