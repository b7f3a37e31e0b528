package hotspot

import (
	"fmt"
	"testing"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// heapOf is a heap profile of stacks with MiB in use, MiB allocated and the number of objects in use.
func heapOf(t *testing.T, stacks ...heapStack) *rules.ProfileInput {
	t.Helper()
	text := "# one\nkind heap\n"
	for _, s := range stacks {
		text += fmt.Sprintf("%d %s\n", s.inUse, s.frames)
	}
	p := rulestest.WrittenProfile(t, "written", text).In.Profile
	p.Types = append(p.Types, profile.ValueType{Type: "alloc_space", Unit: "bytes"})
	p.Period = 512 << 10
	for i, s := range stacks {
		st := &p.Stacks[i]
		st.Values = []int64{s.objects, s.inUse << 20, s.allocated << 20}
		st.Samples = max(1, min(s.objects, s.inUse*2))
	}
	return rulestest.ProfileInput(p, "written")
}

type heapStack struct {
	inUse, allocated, objects int64
	frames                    string
}

func TestAHeapsShareAloneIsNoVerdict(t *testing.T) {
	const (
		handler = " < net/http.HandlerFunc.ServeHTTP server.go:9 < net/http.(*conn).serve server.go:20"
		worker  = " < example.com/shop/queue.(*Worker).loop queue.go:9"
		start   = " < main.main main.go:9 < runtime.main proc.go:290"
		note    = "example.com/shop/audit.(*Log).note audit.go:40"
		parse   = "strings.genSplit strings.go:305 < github.com/x/jot.(*Parser).Parse parser.go:9 < example.com/shop/auth.check auth.go:4"
		decode  = "encoding/json.(*decodeState).object decode.go:9 < encoding/json.Unmarshal decode.go:2 < example.com/shop/maps.load load.go:4"
	)
	rest := heapStack{8, 80, 100000, "example.com/shop/users.Add users.go:40" + handler}
	for _, tt := range []struct {
		claim string
		main  heapStack
		want  string
	}{
		{"what is never freed is kept", heapStack{180, 180, 900000, note + worker}, "TR601 medium medium"},
		{"what is small may be, whatever its share", heapStack{70, 70, 900000, note + worker}, "TR601 low medium"},
		{"a full cache frees what it replaces", heapStack{218, 800, 33000, note + handler}, ""},
		{"a table that grows frees its smaller halves", heapStack{218, 436, 3, note + worker}, "TR601 medium medium"},
		{"a cache by its name is meant to hold", heapStack{218, 218, 33000,
			note + " < example.com/shop/audit.(*pageCache).get audit.go:9" + handler}, ""},
		{"what main reads at the start is meant to stay", heapStack{218, 218, 33000, note + start}, ""},
		{"one token that is split for a request takes it all", heapStack{160, 42000, 1, parse + handler},
			"TR624 medium medium"},
		{"a header of a million commas, for each request", heapStack{32, 42000, 2, parse + handler}, "TR624 medium medium"},
		{"a header that was long a few times", heapStack{32, 400, 2, parse + handler}, ""},
		{"files that a worker cuts into lines", heapStack{32, 42000, 2, parse + worker}, ""},
		{"a message of 16 MiB for each request", heapStack{32, 42000, 2, "example.com/shop/bill.Decode form.go:9" + handler},
			""},
		{"messages decoded again and again, 20 MiB each", heapStack{160, 42000, 8, parse + worker}, "TR624 medium medium"},
		{"a map that is read anew each hour", heapStack{160, 42000, 900000, decode + worker}, "TR624 medium low"},
		{"a request's document by the same decoder", heapStack{160, 42000, 900000, decode + handler}, "TR624 medium medium"},
		{"a document that is read once at the start", heapStack{160, 160, 1, parse + start}, "TR624 medium low"},
		{"an image is as large as it is", heapStack{144, 9000, 3, "image.NewYCbCr ycbcr.go:9 < image/jpeg.Decode reader.go:9 < " +
			"example.com/shop/thumbs.draw draw.go:9" + handler}, "TR624 medium low"},
		{"many small documents at work are a server's", heapStack{60, 42000, 90000, parse + handler}, "TR624 medium low"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := heapOf(t, tt.main, rest)
			all := Rules()
			in.Hotspots = NewBoard(all).Hotspots(in)
			got := ""
			for _, f := range rulestest.ApplyAll(all, &rules.Pass{Profiles: []*rules.ProfileInput{in}}) {
				got += f.Rule + " " + string(f.Severity) + " " + string(f.Confidence)
				if (len(f.Against) > 0) != (f.Confidence == rules.ConfLow) {
					t.Errorf("confidence %s, against %q", f.Confidence, f.Against)
				}
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
