package crash

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// TestAFixAsksForNoChangeOfALibrary reads the fixes of nil pointers in a library's code, and in the program's.
func TestAFixAsksForNoChangeOfALibrary(t *testing.T) {
	const (
		cause = "panic: runtime error: invalid memory address or nil pointer dereference\n" +
			"[signal SIGSEGV: segmentation violation code=0x1 addr=0x8 pc=0x4b1]\n\ngoroutine 7 [running]:\n"
		parse = "example.com/lib.parse(0x0)\n\t/go/pkg/mod/example.com/lib@v1.2.0/lib.go:9 +0x20\n"
		own   = "main.load(0x0)\n\t/src/shop/main.go:7 +0x20\n"
	)
	for _, tt := range []struct{ claim, stack, want, not, next string }{
		{"the program called it", cause + parse + own, "until then, check what is passed to lib.parse at main.load (main.go:7)", "Check for nil",
			"go list -m -u all"},
		{"a goroutine of its own", cause + parse, "no recover in the program can catch", "Check for nil", "go list -m -u all"},
		{"the program's code", cause + own + parse, "Find out which value main.load uses there is nil", "release",
			"staticcheck -checks SA5011 ./..."},
	} {
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(tt.stack))[0], Input: "dump.txt"}}
		rulestest.Prepare(dumps, declared.Roles())
		found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: dumps})
		if len(found) != 1 {
			t.Fatalf("%s: %d findings", tt.claim, len(found))
		}
		f := &found[0]
		if !strings.Contains(f.Fix, tt.want) || strings.Contains(f.Fix, tt.not) || f.Next[0].Command != tt.next {
			t.Errorf("%s: %q, next %q; want %q without %q, %q", tt.claim, f.Fix, f.Next[0].Command, tt.want, tt.not, tt.next)
		}
	}
}
