package hotspot

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
)

func TestALibraryConvertsOneTextAgainAndAgain(t *testing.T) {
	const (
		entry = " < example.com/shop/pages.(*Site).clean pages.go:40 < net/http.HandlerFunc.ServeHTTP server.go:9"
		lib   = " github.com/notes/mark@v1.4.0/"
		parse = " < github.com/notes/mark.(*Parser).element" + lib + "el.go:30 < github.com/notes/mark.Parse" + lib + "parse.go:12"
		call  = " < github.com/notes/mark.(*Parser).closing" + lib + "el.go:61"
		lower = "strings.ToLower strings.go:750"
		grows = "runtime.mallocgc malloc.go:9 < runtime.makeslice slice.go:9 < strings.(*Builder).grow builder.go:9 < "
		rest  = "30 github.com/notes/mark.(*Parser).next" + lib + "next.go:9" + parse + entry
	)
	for _, tt := range []struct {
		claim  string
		stacks []string
		want   bool
	}{
		{"all of a text for each element", []string{"65 " + lower + call + parse + entry, "5 " + grows + lower + call +
			parse + entry, rest}, true},
		{"all that is before, for a column", []string{"70 unicode/utf8.RuneCountInString utf8.go:9" + call + parse + entry,
			rest}, true},
		{"words: much of it is allocated", []string{"50 " + lower + call + parse + entry, "20 " + grows + lower + call + parse +
			entry, rest}, false},
		{"less than half of the profile", []string{"40 " + lower + call + parse + entry, rest, rest}, false},
		{"the program gives it the texts", []string{"70 " + lower + call + entry, rest}, false},
		{"copies of what the program gives it", []string{"70 runtime.memmove memmove_amd64.s:9 < strings.ToLower s.go:9" +
			call + entry, rest}, false},
		{"copies of all that follows, for each element", []string{"70 runtime.memmove memmove_amd64.s:9 < strings.ToLower " +
			"s.go:9" + call + parse + entry, rest}, true},
		{"nothing that goes through a text called it", []string{"70 " + lower + strings.ReplaceAll(call+parse, "mark.Parse",
			"mark.Index") + entry, rest}, false},
		{"the program's own parser", []string{"70 " + strings.NewReplacer("github.com/notes", "example.com/shop", "@v1.4.0", "").
			Replace(lower+call+parse) + entry, rest}, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 1\n"+strings.Join(tt.stacks, "\n")+
				"\n").In
			declared := claimRule{by: Claimant{ID: textRule, Order: 420, Kind: "cpu", Shares: Shares{Low: 0.15}}}
			declared.rule.ID, declared.rule.Claims = textRule, &declared.by
			declared.by.Stacks = []match.StackMatch{{At: []string{"strings.ToLower", "unicode/utf8.*"}}}
			if got := NewBoard(append(Rules(), &declared.rule)).Claims(in).Of(rescanRule).fires(); got != tt.want {
				t.Errorf("fires: %v", got)
			}
		})
	}
}
