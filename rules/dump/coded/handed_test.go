package coded

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

// A read transaction keeps a read lock from one call to another: no stack shows that anyone has it.
func TestALockThatCallsHandOverIsNotedWithTheFunctionsThatDo(t *testing.T) {
	const (
		begin = "func (t *T) begin() *T {\n\tt.rw.RLock()\n\treturn t\n}\n"
		end   = "func (t *T) end() {\n\tt.n++\n\tt.rw.RUnlock()\n}\n"
		waits = "7 [sync.RWMutex.Lock]: set\n"
	)
	for _, c := range []struct{ name, code, note string }{
		{"one begins and one ends", set + read + begin + end,
			"(*T).begin (main.go:N) returns with t.rw, and (*T).end (main.go:N) releases it: each call of the former needs one of " +
				"the latter."},
		{"one begins", set + begin, "(*T).begin (main.go:N) returns with t.rw."},
		{"two begin, and two end", set + begin + end + strings.Replace(begin, "begin", "open", 1) + strings.Replace(end, "end", "close", 1),
			"(*T).begin (main.go:N) and (*T).open (main.go:N) return with t.rw, and (*T).end (main.go:N) and (*T).close (main.go:N) release it: " +
				"each call of the former needs one of the latter."},
		// Near misses.
		{"each call releases what it takes", set + read, ""},
		{"what one begins is another lock", set + read + get + "func (t *T) begin() {\n\tt.mu.Lock()\n}\n", ""},
		{"a function calls both", set + begin + end + "func (t *T) view() {\n\tt.begin()\n\tdefer t.end()\n}\n",
			"(*T).begin (main.go:N) returns with t.rw, and (*T).end (main.go:N) releases it: each call of the former needs one of " +
				"the latter."},
	} {
		found := []rules.Finding{{Rule: "TR406", Severity: rules.Medium, Evidence: []rules.Evidence{{Input: "dump.txt", Goroutines: []uint64{7}}}}}
		Refute(found, passOf(t, lockCase{name: c.name, source: c.code, dump: waits}, false))
		got := strings.Join(found[0].Notes, " ")
		if got = lineNumbers.ReplaceAllString(got, ":N)"); strings.TrimPrefix(got, "In the code, ") != c.note {
			t.Errorf("%s: %q, want %q", c.name, got, c.note)
		}
	}
}

var lineNumbers = regexp.MustCompile(`:\d+\)`)
