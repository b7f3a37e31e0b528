package hotspot

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/internal/rulestest"
)

func TestACallHasNoResultWhereNothingComesInOrOut(t *testing.T) {
	const (
		entry = " < main.show show.go:9 < main.main main.go:3"
		lib   = "github.com/notes/mark@v1.4.0"
		loop  = "github.com/notes/mark.(*Parser).list " + lib + "/list.go:61 < github.com/notes/mark.(*Parser).Parse " +
			lib + "/parser.go:30 < github.com/notes/mark.ToHTML " + lib + "/mark.go:12"
		same  = "github.com/notes/mark.last " + lib + "/node.go:20 < " + loop + entry
		alloc = "runtime.mallocgc malloc.go:9 < " + loop + entry
	)
	for _, tt := range []struct {
		claim  string
		stacks []string
		want   bool
	}{
		{"one call has all of it", []string{"900 " + same}, true},
		{"a sample beside it changes nothing", []string{"900 " + same, "4 " + alloc}, true},
		{"it allocates", []string{"900 " + same, "9 " + alloc}, false},
		{"the program does something too", []string{"900 " + same, "30 main.show show.go:12 < main.main main.go:3"}, false},
		{"the process reads", []string{"900 " + same, "9 syscall.Read syscall.go:9 < main.load load.go:4"}, false},
		{"a benchmark does nothing else", []string{"900 " + strings.Replace(same, "main.main main.go:3",
			"testing.(*B).runN benchmark.go:219", 1)}, false},
		{"two seconds are short", []string{"200 " + same}, false},
		{"one function of the library does it all", []string{"900 github.com/notes/mark.Parse " + lib + "/p.go:1" + entry},
			false},
		{"the call's name is about no text", []string{"900 " + strings.NewReplacer("ToHTML", "Draw", "Parse", "Paint").
			Replace(same)}, false},
		{"a reader is made", []string{"900 " + strings.NewReplacer("ToHTML", "NewReader", "Parse", "find").Replace(same)},
			true},
		{"a reader that sums up what it opens", []string{"800 " + strings.NewReplacer("ToHTML", "NewReader", "Parse",
			"find").Replace(same), "100 hash/crc32.update crc32.go:9 < " + strings.NewReplacer("ToHTML", "NewReader",
			"Parse", "find").Replace(same)}, false},
		{"a server is made", []string{"900 " + strings.NewReplacer("ToHTML", "NewServer", "Parse", "find").Replace(same)},
			false},
		{"the program's own parser may be its work", []string{"900 main.last node.go:20 < main.(*Parser).list list.go:61 < " +
			"main.(*Parser).Parse p.go:3 < main.ToHTML p.go:1" + entry}, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 10\n"+strings.Join(tt.stacks, "\n")+
				"\n").In
			if got := NewBoard(Rules()).Hotspots(in).Of(withoutResultRule).fires(); got != tt.want {
				t.Errorf("fires: %v", got)
			}
		})
	}
}
