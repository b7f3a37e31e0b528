package account

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/rules"
)

// TestALibrarysCodeHasTheTextsOfALibrary looks at stacks whose culprit is of a library, or nearly.
func TestALibrarysCodeHasTheTextsOfALibrary(t *testing.T) {
	own := func(name string) rules.PathFrame {
		return rules.PathFrame{Function: "main." + name, File: "shop/main.go", Line: 7, Class: "own"}
	}
	store := func(name, class string) rules.PathFrame {
		return rules.PathFrame{Function: "example.com/store." + name, File: "store.go", Line: 9, Class: class}
	}
	goexit := rules.PathFrame{Function: "runtime.goexit", Class: "runtime"}
	lock := store("(*DB).lock", "dependency")
	vendored := rules.PathFrame{Function: "example.com/shop/vendor/example.com/go%2eclock.Wait", Class: "vendored"}
	for _, tt := range []struct {
		claim string
		path  []rules.PathFrame // to the culprit
		want  Facts
	}{
		{"the program called it from inside a call of it",
			[]rules.PathFrame{own("main"), store("(*DB).View", "dependency"), store("(*Tx).each", "dependency"), own("save"),
				store("(*DB).Update", "dependency"), lock},
			Facts{Cases: []string{"nobody", "library nested"}, Values: Values{"who": "x", "library": "example.com/store",
				"libraryStart": "store.(*DB).lock", "yours": "main.save (main.go:7)", "libraryCall": "store.(*DB).Update",
				"libraryOuter": "store.(*DB).View"}}},
		{"the program called it",
			[]rules.PathFrame{goexit, own("main"), own("save"), store("(*DB).Update", "vendored"), lock},
			Facts{Cases: []string{"nobody", "library called"}, Values: Values{"who": "x", "library": "example.com/store",
				"libraryStart": "store.(*DB).lock", "yours": "main.save (main.go:7)", "libraryCall": "store.(*DB).Update"}}},
		{"a goroutine of the library's own", []rules.PathFrame{goexit, store("(*DB).loop", "dependency"), lock},
			Facts{Cases: []string{"nobody", "library alone"}, Values: Values{"who": "x", "library": "example.com/store",
				"libraryStart": "store.(*DB).lock"}}},
		{"a vendored one", []rules.PathFrame{goexit, vendored},
			Facts{Cases: []string{"nobody", "library alone"}, Values: Values{"who": "x", "library": "example.com/go.clock",
				"libraryStart": "go.clock.Wait"}}},
		{"the program's own package of that name", []rules.PathFrame{own("main"), store("(*DB).lock", "own")},
			Facts{Cases: []string{"nobody"}, Values: Values{"who": "x"}}},
	} {
		f := Facts{Cases: []string{"nobody"}, Values: Values{"who": "x"}}
		culprit := tt.path[len(tt.path)-1]
		f.OfLibrary(rules.Blame{
			Culprit: rules.Place{Function: culprit.Function, File: culprit.File, Line: culprit.Line}, Path: tt.path,
		})
		if diff := cmp.Diff(tt.want, f); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.claim, diff)
		}
	}
}
