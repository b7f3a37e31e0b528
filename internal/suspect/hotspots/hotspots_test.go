package hotspots

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// types are the sample types of a kind, the last of which counts.
var types = map[profile.Kind][]profile.ValueType{
	profile.KindCPU:    {{Type: "cpu", Unit: "nanoseconds"}},
	profile.KindHeap:   {{Type: "alloc_space", Unit: "bytes"}, {Type: "inuse_space", Unit: "bytes"}},
	profile.KindAllocs: {{Type: "alloc_space", Unit: "bytes"}},
	profile.KindMutex:  {{Type: "delay", Unit: "nanoseconds"}},
	profile.KindBlock:  {{Type: "delay", Unit: "nanoseconds"}},
}

// unitOf is what one of a written stack's count is worth: a sample of 10 ms, a MB, a millisecond.
var unitOf = map[profile.Kind]int64{
	profile.KindCPU: 1e7, profile.KindHeap: 1e6, profile.KindAllocs: 1e6, profile.KindMutex: 1e6, profile.KindBlock: 1e6,
}

// written is a profile of stacks, each "COUNT FUNCTION[:LINE] < FUNCTION[:LINE] …", leaf first. A file is named after the
// function's package; dependencies lie in the module cache.
func written(t *testing.T, kind profile.Kind, seconds int, stacks ...string) *rules.ProfileInput {
	t.Helper()
	p := &profile.Profile{Kind: kind, Types: types[kind], Value: len(types[kind]) - 1, Runtime: profile.RuntimeGo,
		Duration: time.Duration(seconds) * time.Second, Labels: []profile.LabelSet{{}}, Merged: 1}
	for _, s := range stacks {
		count, frames, _ := strings.Cut(s, " ")
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		st := profile.Stack{Samples: n, Values: make([]int64, len(p.Types))}
		for i := range st.Values {
			st.Values[i] = n * unitOf[kind]
		}
		for name := range strings.SplitSeq(frames, " < ") {
			name, line, _ := strings.Cut(name, ":")
			number, _ := strconv.Atoi(line)
			pkg := name[:strings.LastIndexByte(name, '/')+1] + strings.Split(name[strings.LastIndexByte(name, '/')+1:], ".")[0]
			file := pkg + "/" + pkg[strings.LastIndexByte(pkg, '/')+1:] + ".go"
			if strings.HasPrefix(name, "github.com/") {
				file = strings.Replace(file, "/"+pkg[strings.LastIndexByte(pkg, '/')+1:]+"/", "/x@v1.0.0/", 1)
			}
			st.Frames = append(st.Frames, int32(len(p.Frames)))
			p.Frames = append(p.Frames, profile.Frame{Func: int32(len(p.Functions)), Line: int32(number)})
			p.Functions = append(p.Functions, profile.Function{Name: name, File: file})
		}
		p.Stacks = append(p.Stacks, st)
	}
	return &rules.ProfileInput{View: profile.NewView(p), Input: string(kind) + ".pb.gz", Process: "1"}
}

func suspectsOf(in ...*rules.ProfileInput) []suspect.Suspect {
	return Suspects(&rules.Pass{Profiles: in})
}

const (
	sorts = "sort.Slice:23 < example.com/shop/orders.rank:41 < example.com/shop/orders.List:12 < main.main:9"
	other = "example.com/shop/orders.total:70 < example.com/shop/orders.List:14 < main.main:9"
)

func TestWhoBurnsTheCPUIsNamedWithTheWorkTheCallerTheShareAndTheCores(t *testing.T) {
	got := suspectsOf(written(t, profile.KindCPU, 10, "900 "+sorts, "100 "+other))
	if len(got) != 2 || got[0].Title != "orders.rank takes 90% of the CPU: 0.9 cores, in sort.Slice (orders.go:41)" {
		t.Fatalf("%+v", got)
	}
	s := &got[0]
	for _, want := range []string{
		"100% of that is in sort.Slice, which it calls",
		"orders.List is the caller for 100% of that",
	} {
		if !strings.Contains(strings.Join(s.For, "\n"), want) {
			t.Errorf("%q lacks %q", s.For, want)
		}
	}
	if s.Culprit.Function != "example.com/shop/orders.rank" || s.Culprit.Line != 41 || s.Category != rules.HotCPU ||
		len(s.Against) != 1 || s.Evidence[0].Input != "cpu.pb.gz" || s.Evidence[0].Count != 900 ||
		s.Next[0].Command != `go tool pprof -peek 'orders\.rank$' cpu.pb.gz` {
		t.Errorf("%+v", s)
	}
}

func TestTheFunctionToNameIsTheProgramsOwnNearestToTheLeaf(t *testing.T) {
	const dep = "github.com/notes/mark.parse:5 < github.com/notes/mark.HTML:3"
	for _, tt := range []struct{ claim, stack, want string }{
		{"below a library", dep + " < example.com/shop/pages.render:8 < main.main:9", "example.com/shop/pages.render"},
		{"the nearest of a library's, where none is the program's", dep, "github.com/notes/mark.parse"},
		{"a closure counts as its function", "example.com/shop/pages.render.func1:7 < slices.SortFunc:3 < " +
			"example.com/shop/pages.render:9 < main.main:9", "example.com/shop/pages.render.func1"},
		{"no framework", "net/http.(*conn).serve:2 < github.com/gin-gonic/gin.(*Engine).ServeHTTP:3 < " +
			"example.com/shop/pages.serve:8", "example.com/shop/pages.serve"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			got := suspectsOf(written(t, profile.KindCPU, 10, "900 "+tt.stack, "90 "+other))
			if got[0].Culprit.Function != tt.want {
				t.Errorf("%q: %s", got[0].Culprit.Function, got[0].Title)
			}
		})
	}
}

func TestALibraryThatHasItAllIsNamedBesideWhoCallsIt(t *testing.T) {
	const lib = "github.com/notes/mark.root:5 < github.com/notes/mark.Parse:3 < example.com/shop/pages.render:8 < main.main:9"
	got := suspectsOf(written(t, profile.KindCPU, 10, "1000 "+lib))
	if len(got) != 2 || got[0].Culprit.Function != "example.com/shop/pages.render" ||
		got[1].Culprit.Function != "github.com/notes/mark.root" {
		t.Errorf("%+v", got)
	}
	if got := suspectsOf(written(t, profile.KindCPU, 10, "1000 "+sorts)); len(got) != 1 {
		t.Errorf("the standard library is no suspect: %+v", got)
	}
}

func TestPointsFollowShareAndCores(t *testing.T) {
	for _, tt := range []struct {
		claim       string
		sorts, rest string
		seconds     int
		from, to    float64
	}{
		{"a dominant function of a busy process is strong", "1000", "1000", 20, suspect.Strong, 10},
		{"a tenth of it is worth a look at most", "200", "1800", 20, 1, 2},
		{"all of next to nothing is not", "50", "1", 100, 0, suspect.Shown},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			for _, s := range suspectsOf(written(t, profile.KindCPU, tt.seconds, tt.sorts+" "+sorts, tt.rest+" "+other)) {
				if strings.Contains(s.Culprit.Function, "rank") && (s.Points < tt.from || s.Points > tt.to) {
					t.Errorf("%v points", s.Points)
				}
			}
		})
	}
}

func TestWhatTheRuntimeDoesOnItsOwnStacksBelongsToWhoAsksForIt(t *testing.T) {
	const (
		yields = "950 runtime.findRunnable < runtime.schedule < runtime.goschedImpl < runtime.gosched_m < runtime.mcall"
		asks   = " runtime.Gosched < example.com/shop/lease.await:9 < main.main:9"
	)
	got := suspectsOf(written(t, profile.KindCPU, 10, yields, "10"+asks, "40 "+other))
	if got[0].Title != "lease.await takes 96% of the CPU: 1.0 cores, in runtime.Gosched (lease.go:9)" {
		t.Errorf("one sample in a hundred shows who yields: %s", got[0].Title)
	}
	got = suspectsOf(written(t, profile.KindCPU, 10, yields, "3"+asks, "47 "+other))
	if got[0].Title != "The process takes 95% of the CPU: 0.9 cores, yielding" || got[0].Culprit.Function != "" {
		t.Errorf("next to nothing shows it: %s", got[0].Title)
	}
}

func TestAnIdleProcessIsSaidToBeIdle(t *testing.T) {
	in := written(t, profile.KindCPU, 30, "29 "+sorts, "1 "+other)
	p := &rules.Pass{Profiles: []*rules.ProfileInput{in}}
	got := Suspects(p)
	if len(got) != 1 || got[0].Title != "The process was idle: 0.01 cores in 30 s; most of it in orders.rank (orders.go:41)" ||
		got[0].Points >= suspect.Shown || !got[0].Usual || !strings.Contains(got[0].Next[0].Command, "--only stacks") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(strings.Join(got[0].Against, "\n"), "Few samples (30)") {
		t.Errorf("against: %q", got[0].Against)
	}
	p.Dumps = []*rules.DumpInput{{Dump: &stackparse.Dump{}, Process: "1"}}
	if next := Suspects(p)[0].Next[0]; !strings.Contains(next.Comment, "a CPU profile (10 s)") {
		t.Errorf("a dump of it is there: %+v", next)
	}
	if got := suspectsOf(written(t, profile.KindCPU, 30)); len(got) != 1 || got[0].Title != "The process was idle: 0 cores in 30 s" {
		t.Errorf("no sample: %+v", got)
	}
}

func TestWhatGrowsFromHeapToHeapCounts(t *testing.T) {
	const (
		keeps = " example.com/shop/audit.note:40 < example.com/shop/audit.Write:3 < main.main:9"
		rest  = "60 example.com/shop/audit.Add:7 < main.main:9"
	)
	heap := func(n string, at int) *rules.ProfileInput {
		in := written(t, profile.KindHeap, 0, n+keeps, rest)
		in.Time = time.Unix(int64(at), 0)
		return in
	}
	alone, later := suspectsOf(heap("40", 2)), suspectsOf(heap("40", 2), heap("5", 1))
	if alone[0].Culprit.Function != "example.com/shop/audit.Add" || alone[0].Against[0] != "A full cache looks the same" {
		t.Errorf("%+v", alone)
	}
	grown := &later[0]
	for i := range later {
		if strings.HasSuffix(later[i].Culprit.Function, "note") {
			grown = &later[i]
		}
	}
	if len(later) != 2 || grown.For[0] != "It grew from 5.0 MB to 40 MB over 2 profiles" || grown.Points <= alone[1].Points ||
		grown.Title != "audit.note holds 40% of the heap: 40 MB (audit.go:40)" {
		t.Errorf("%+v", later)
	}
}

func TestOnePlaceIsOneSuspectHoweverManyProfilesShowIt(t *testing.T) {
	got := suspectsOf(written(t, profile.KindCPU, 10, "900 "+sorts), written(t, profile.KindCPU, 10, "600 "+sorts),
		written(t, profile.KindAllocs, 0, "900 runtime.makeslice < "+sorts))
	if len(got) != 1 || len(got[0].Evidence) != 3 || got[0].Category != rules.HotCPU {
		t.Errorf("%+v", got)
	}
}

func TestWaitsAreNamed(t *testing.T) {
	const (
		send = "5000 runtime.chansend1 < example.com/shop/mail.(*Queue).Put:9 < main.main:9"
		recv = "90000 runtime.selectgo < example.com/shop/mail.(*Worker).loop:30"
		lock = "4000 sync.(*Mutex).Unlock < example.com/shop/store.(*Store).Commit:12 < main.main:9"
	)
	for _, tt := range []struct {
		claim  string
		kind   profile.Kind
		stacks []string
		want   string
	}{
		{"a send, beside workers that wait for work", profile.KindBlock, []string{send, recv},
			"mail.(*Queue).Put accounts for 100% of all waiting: 5 s, in runtime.chansend1 (mail.go:9)"},
		{"waits for work alone", profile.KindBlock, []string{recv},
			"The process accounts for 100% of all waiting: 90 s, waiting for work"},
		{"who holds the lock", profile.KindMutex, []string{lock},
			"store.(*Store).Commit holds locks for 100% of the time that others wait: 4 s (store.go:12)"},
		{"an empty profile", profile.KindMutex, nil,
			"The profile shows none of the time that goroutines waited for locks"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			got := suspectsOf(written(t, tt.kind, 60, tt.stacks...))
			if len(got) != 1 || got[0].Title != tt.want || got[0].Category != rules.Contention {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestALabelWithMostOfTheCPUIsAFact(t *testing.T) {
	in := written(t, profile.KindCPU, 10, "700 "+sorts, "100 "+sorts, "200 "+other)
	in.Labels = []profile.LabelSet{{}, {"tenant: acme"}, {"tenant: zoo"}}
	in.Stacks[0].Label, in.Stacks[1].Label = 1, 2
	in.View = profile.NewView(in.Profile)
	if got := suspectsOf(in); !strings.Contains(strings.Join(got[0].For, "\n"), "70% of the CPU has the label tenant=acme") {
		t.Errorf("%q", got[0].For)
	}
	in.Stacks[1].Label = 1 // all of them have one value
	in.View = profile.NewView(in.Profile)
	if got := suspectsOf(in); strings.Contains(strings.Join(got[0].For, "\n"), "label") {
		t.Errorf("%q", got[0].For)
	}
}

func TestHostileProfilesGiveTitlesThatFit(t *testing.T) {
	long := "example.com/" + strings.Repeat("shop", 40) + ".(*" + strings.Repeat("Rank", 40) + ")." + strings.Repeat("x", 300)
	for _, value := range []int64{-5, 0, 1, math.MaxInt64, math.MinInt64} {
		in := written(t, profile.KindCPU, 10, "1 "+long, "1 runtime.mcall", "1 "+sorts)
		for i := range in.Stacks {
			in.Stacks[i].Values[0], in.Stacks[i].Samples = value, value
		}
		in.View = profile.NewView(in.Profile)
		for _, s := range suspectsOf(in) {
			if utf8.RuneCountInString(s.Title) > phrase.MaxTitle || math.IsNaN(s.Points) || math.IsInf(s.Points, 0) {
				t.Errorf("%d: %v points, %s", value, s.Points, s.Title)
			}
		}
	}
}
