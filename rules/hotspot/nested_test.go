package hotspot

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/internal/rulestest"
)

func TestNestedCallsAreThoseThatGoThroughAllLevelsAgain(t *testing.T) {
	const (
		entry = " < example.com/shop/prices.load prices.go:9 < main.main main.go:3"
		lib   = " github.com/notes/tree@v1.4.0/"
		level = " < github.com/notes/tree.(*Parser).list" + lib + "list.go:61 < github.com/notes/tree.(*Parser).parse" + lib +
			"parse.go:30"
		try      = " < github.com/notes/wild.match github.com/notes/wild@v1.0.0/match.go:30"
		segments = "github.com/notes/glob.segments github.com/notes/glob@v1.0.0/path.go:21"
		segment  = " < github.com/notes/glob.segments github.com/notes/glob@v1.0.0/path.go:30"
		spans    = " < github.com/notes/glob.spans github.com/notes/glob@v1.0.0/path.go:40"
		match    = "github.com/notes/wild.match github.com/notes/wild@v1.0.0/match.go:21"
	)
	stale := "github.com/notes/tree.(*scanner).stale" + lib + "scan.go:20"
	other := "github.com/notes/tree.(*scanner).next" + lib + "scan.go:90"
	third := "github.com/notes/tree.(*Parser).node" + lib + "node.go:9"
	alloc := "runtime.mallocgc malloc.go:9 < "
	deep, flat := strings.Repeat(level, 30), strings.Repeat(level, 5)
	for _, tt := range []struct {
		claim  string
		stacks []string
		want   bool
	}{
		{"a parser looks through all that is open at each level", []string{"90 " + stale + deep, "10 " + other + deep}, true},
		{"a flat text", []string{"90 " + stale + flat + entry, "10 " + other + flat + entry}, false},
		{"a deep text that is gone through once", []string{"40 " + stale + deep, "30 " + other + deep, "30 " + third + deep}, false},
		{"what is nested becomes something", []string{"60 " + stale + deep, "40 " + alloc + stale + deep}, false},
		{"a third of the profile", []string{"33 " + stale + deep, "67 main.sum sum.go:9 < main.main main.go:3"}, false},
		{"a pattern of many wildcards", []string{"90 " + match + strings.Repeat(try, 6) + entry, "9 " + match + entry}, true},
		{"a pattern of many segments that stand for any number", []string{"70 " + segments + strings.Repeat(spans+segment, 6) +
			entry, "30 " + segments + strings.Repeat(spans+segment, 5) + entry}, true},
		{"a pattern of three wildcards", []string{"90 " + match + strings.Repeat(try, 3) + entry}, false},
		{"the program's own matcher may be its work", []string{"90 " + strings.ReplaceAll(match+strings.Repeat(try, 6),
			"github.com/notes/wild", "main") + entry}, false},
		{"a search goes down a tree", []string{"90 " + strings.ReplaceAll(strings.ReplaceAll(match+strings.Repeat(try, 30),
			"match", "visit"), "wild.", "tree.") + entry}, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 1\n"+strings.Join(tt.stacks, "\n")+
				"\n").In
			if got := NewBoard(Rules()).Hotspots(in).Of(nestedRule).fires(); got != tt.want {
				t.Errorf("fires: %v", got)
			}
		})
	}
}
