package page_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/report/page"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// hostile is text that tries to leave every place of a page.
const hostile = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>]]>\x1b[31m\u202egnp.exe\u2066\x00{{.}}"

// read is the report of inputs below testdata.
func read(t testing.TB, inputs ...string) *triage.Report {
	t.Helper()
	for i := range inputs {
		inputs[i] = filepath.Join("..", "..", "testdata", inputs[i])
	}
	r, err := triage.Run(context.Background(), triage.Options{Inputs: inputs, Stacks: true, Version: "v0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t testing.TB, r *triage.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Write(&b, r, page.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAPageHoldsItsReportByteForByte reads the block of pages of all kinds of inputs.
func TestAPageHoldsItsReportByteForByte(t *testing.T) {
	for _, inputs := range [][]string{
		{"dumps/go1.26/stuck-abba.txt"}, {"dumps/go1.26/spin-gosched.txt", "dumps/go1.26/spin-gosched-2.txt"},
		{"profiles/client-cert-ecdsa.pb.gz"}, {"pods"}, {"pods-fleet"},
	} {
		r := read(t, inputs...)
		var want bytes.Buffer
		if err := report.JSON(&want, r); err != nil {
			t.Fatal(err)
		}
		got, err := schema.ReadBlock([]byte(write(t, r)), schema.ReportBlock, 1<<30)
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%v: the block has %d bytes, the report %d: %v", inputs, len(got), want.Len(), err)
		}
	}
}

// TestAPageIsAnInput writes a report as a page, reads that page as the only input, and gets the same report.
func TestAPageIsAnInput(t *testing.T) {
	r := read(t, "dumps/go1.26/stuck-abba.txt")
	file := filepath.Join(t.TempDir(), "report.html")
	writeFile(t, file, write(t, r))
	again, err := triage.Run(context.Background(), triage.Options{Inputs: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	var before, after bytes.Buffer
	if err := report.JSON(&before, r); err != nil {
		t.Fatal(err)
	}
	if err := report.JSON(&after, again); err != nil {
		t.Fatal(err)
	}
	if before.String() != after.String() {
		t.Errorf("the report has changed on its way through a page:\n%.500s\n%.500s", before.String(), after.String())
	}
	if report.Headline(again) != report.Headline(r) {
		t.Errorf("headline %q, it was %q", report.Headline(again), report.Headline(r))
	}
}

func TestTheScriptsThatThePolicyAllowsAreThePagesOwn(t *testing.T) {
	text := write(t, read(t, "dumps/go1.26/stuck-abba.txt"))
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	if policy == nil {
		t.Fatal("no policy")
	}
	allowed := strings.ReplaceAll(strings.ReplaceAll(policy[1], "&#39;", "'"), "&#43;", "+")
	for _, element := range []string{"script", "style"} {
		m := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(text, -1)
		if len(m) != 1 {
			t.Fatalf("%d elements %s that run", len(m), element)
		}
		sum := sha256.Sum256([]byte(m[0][1]))
		if hash := element + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(allowed, hash) {
			t.Errorf("the policy %s lacks %s", allowed, hash)
		}
	}
	if !strings.HasPrefix(allowed, "default-src 'none';") || strings.Contains(allowed, "unsafe") {
		t.Errorf("policy %s", allowed)
	}
	if strings.Contains(text, " style=") || regexp.MustCompile(`<[^>]* on[a-z]+=`).MatchString(text) {
		t.Error("the page has an attribute that the policy refuses")
	}
	if n := regexp.MustCompile(`(src|href)="(http:|//|data:)`).FindString(text); n != "" {
		t.Errorf("the page refers to %s", n)
	}
}

// TestHostileTextIsText puts hostile text into every string that a report takes from its inputs.
func TestHostileTextIsText(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	r := read(t, "dumps/go1.26/stuck-abba.txt", "profiles/client-cert-ecdsa.pb.gz")
	f := &r.Findings[0]
	f.Title, f.Why, f.Fix, f.Culprit.Function, f.Culprit.File = hostile, hostile, hostile, hostile, hostile
	f.Object, f.Actors = &rules.Object{Kind: hostile, Namespace: hostile, Name: hostile, API: hostile}, []string{hostile}
	f.Refs, f.Notes = []string{"javascript:alert(1)", "https://example.com/\"><script>"}, []string{hostile}
	for i := range f.Evidence {
		f.Evidence[i].Text, f.Evidence[i].Input = hostile, hostile
	}
	for i := range f.Path {
		f.Path[i].Function, f.Path[i].File = hostile+".f", hostile
	}
	f.Next = []rules.Step{{Command: hostile, Comment: hostile, Changes: true}}
	r.Inputs[0].Path = hostile
	d := &r.Dumps[0]
	d.Input = hostile
	for i := range d.Buckets {
		d.Buckets[i].State, d.Buckets[i].Role = hostile, hostile
		d.Buckets[i].Ends = []schema.Ending{{
			Function: hostile, File: hostile, Goroutines: 1, At: &rules.Place{Function: hostile, File: hostile},
		}}
		for j := range d.Buckets[i].Frames {
			d.Buckets[i].Frames[j].Function, d.Buckets[i].Frames[j].File = strings.Repeat(hostile, 1+j*2000), hostile
		}
	}
	for i := range d.Waits {
		d.Waits[i].BlockedBy, d.Waits[i].Kind = hostile, hostile
	}
	r.Skipped = append(r.Skipped, schema.Skipped{Path: hostile, Reason: hostile, Hint: hostile})
	r.Patterns = []schema.Pattern{{Input: hostile, Template: hostile, Level: hostile}}
	r.Pods = []schema.Pod{{Namespace: hostile, Pod: hostile, State: hostile, Title: hostile}}
	text := write(t, r)
	if n := strings.Count(text, "<script"); n != 3 {
		t.Errorf("%d script elements: two blocks of data and the page's own are 3", n)
	}
	for _, bad := range []string{"<img", "\x1b", "\u202e", "\u2066", "\x00", `href="javascript`, "]]>"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
}

func TestThePageOfADumpSaysWhatTheTextSays(t *testing.T) {
	r := read(t, "dumps/go1.26/stuck-abba.txt")
	text := write(t, r)
	f := &r.Findings[0]
	for _, want := range []string{f.Why, f.Fix, f.Next[0].Comment, "main.go:88", "lock-cycle (TR407)", "<svg class=\"waits\"", "class=\"edge back\""} {
		if !strings.Contains(unescaped(text), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestAGroupNamesWhatCouldEndItsWait shows the functions of the source below the goroutines that wait for them, and none
// where the report has none.
func TestAGroupNamesWhatCouldEndItsWait(t *testing.T) {
	r := read(t, "dumps/go1.26/stuck-abba.txt")
	if strings.Contains(write(t, r), "could end it") {
		t.Error("the page names what could end a wait, without the source")
	}
	ends := []schema.Ending{
		{
			Function: "(*Desk).Run", File: "/src/desk/desk.go", Line: 16, Goroutines: 1, Goroutine: 7,
			At: &rules.Place{Function: "example.com/office/desk.read", File: "/src/desk/read.go", Line: 3},
		},
		{Function: "(*Desk).Open", File: "/src/desk/desk.go", Line: 34},
	}
	ends = append(ends, ends[1], ends[1], ends[1], ends[1])
	r.Dumps[0].Buckets[0].Ends = ends
	text := unescaped(write(t, r))
	for _, want := range []string{
		`<dt>could end it</dt><dd><code>(*Desk).Run</code> <span class="quiet">desk.go:16</span>, ` +
			`with goroutine 7 in it, at <code>desk.read</code> <span class="quiet">read.go:3</span></dd>`,
		`<dd><code>(*Desk).Open</code> <span class="quiet">desk.go:34</span>, with no goroutine in it</dd>`,
		"<dd>the first 4 of 6 functions</dd>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(text, "<dt>could end it</dt>"); n != 1 {
		t.Errorf("%d groups name what could end their wait, 1 has it", n)
	}
}

// TestPatternsShowWhen wants the times of a pattern's lines, and none for lines without times.
func TestPatternsShowWhen(t *testing.T) {
	r := schema.New("v0")
	r.Patterns = []schema.Pattern{
		{Input: "app.log", Template: "refused", First: "2026-11-22T08:00:05.5Z", Last: "2026-11-22T08:03:00Z"},
		{Input: "app.log", Template: "served", Count: 9},
	}
	text := write(t, r)
	for _, want := range []string{">2026-11-22 08:00:05 to 08:03:00</td>", `data-sort=""></td>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestTheDifferenceOfTwoProfilesIsAFlameGraph adds up what the graph has of both sides and compares it with the report.
func TestTheDifferenceOfTwoProfilesIsAFlameGraph(t *testing.T) {
	const dir = "../../testdata/"
	for _, sides := range [][2]string{
		{"profiles/client-cert-rsa.pb.gz", "profiles/client-cert-ecdsa.pb.gz"},
		{"dumps/go1.26/spin-gosched.txt", "dumps/go1.26/stuck-abba.txt"},
	} {
		r, err := triage.Compare(t.Context(), []string{dir + sides[0]}, []string{dir + sides[1]}, triage.Options{Stacks: true})
		if err != nil {
			t.Fatal(err)
		}
		before, after := float64(r.Diff.Before.Goroutines), float64(r.Diff.After.Goroutines)
		if len(r.Diff.Profiles) > 0 {
			before, after = r.Diff.Profiles[0].Before.Value, r.Diff.Profiles[0].After.Value
		}
		data, err := schema.ReadBlock([]byte(write(t, r)), schema.DrawingsBlock, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		var graphs []struct {
			Value, After []int64
			Parent       []int
			Scale        float64
			Names        []string
		}
		if err := json.Unmarshal(data, &graphs); err != nil || len(graphs) != 1 {
			t.Fatalf("%v: %d graphs: %v", sides, len(graphs), err)
		}
		g := graphs[0]
		x, y := float64(g.Value[0]-g.After[0])*g.Scale, float64(g.After[0])*g.Scale
		if math.Abs(x-before) > 1e-3*before || math.Abs(y-after) > 1e-3*after {
			t.Errorf("%v: the graph goes from %v to %v, the comparison from %v to %v", sides, x, y, before, after)
		}
		for i := 1; i < len(g.Value); i++ {
			if p := g.Parent[i]; p >= i || g.Value[i] > g.Value[p] || g.After[i] > g.After[p] || g.After[i] > g.Value[i] {
				t.Errorf("%v: node %d has %d, %d after, its parent %d, %d after", sides, i, g.Value[i], g.After[i],
					g.Value[p], g.After[p])
			}
		}
	}
}

// TestStacksOverTimeShowGrowthAndWhatWaitsThroughout draws dumps at uneven times.
func TestStacksOverTimeShowGrowthAndWhatWaitsThroughout(t *testing.T) {
	r := schema.New("v0")
	at := func(clock string, n int) schema.SeriesDump {
		return schema.SeriesDump{Time: "2026-11-22T" + clock + "Z", Goroutines: n}
	}
	r.Series = []schema.Series{{
		Process: "process 1",
		Dumps:   []schema.SeriesDump{at("10:00:00", 1100), at("10:01:00", 1200), at("10:10:00", 3100)},
		Steps:   []schema.SeriesStep{{Stayed: 1100, New: 100}, {Stayed: 1200, New: 1900}},
		Buckets: []schema.SeriesBucket{
			{
				Function: "example.com/shop/cart.notify", File: "/src/notify.go", Line: 42, Wait: "chan send",
				Counts: []int{1000, 1100, 3000}, Stuck: 900,
			},
		},
	}}
	text := unescaped(write(t, r))
	for _, want := range []string{
		"+2,000, +200 a minute", "900, for at least 10 min", "1,000 → 1,100 → 3,000", "over 10 min, at most 3,100",
		`text-anchor="end">10:10:00</text>`, "M0 150L76 142L760 8",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestTheWritesOfAnObjectAreInLanes compares the lanes of two controllers that undo each other with the audit log:
// scaler and syncer write 68 times each, deployment-controller 468 times, of which 89 are refused.
func TestTheWritesOfAnObjectAreInLanes(t *testing.T) {
	text := unescaped(write(t, read(t, "cluster/field-flip-a.tar.zst")))
	for _, want := range []string{
		"store/scaler: 68 writes, 1 without a change", "store/syncer: 68 writes<",
		"kube-system/deployment-controller: 468 writes, 89 refused",
		"<td>store/scaler</td><td><code>spec.replicas</code></td>", "<code>4</code>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Index(text, "store/syncer: 68") > strings.Index(text, "kubernetes-admin: 1 write") {
		t.Error("the actors that the finding names are not the first lanes")
	}
}

// TestLanesAreBounded draws an object that many actors write at hostile times.
func TestLanesAreBounded(t *testing.T) {
	r := read(t, "dumps/go1.26/stuck-abba.txt")
	o := rules.Object{Kind: "Deployment", Namespace: hostile, Name: hostile}
	r.Findings[0].Object = &o
	line := schema.ObjectTimeline{Object: o, Total: 5_000}
	for i := range 5_000 {
		w := schema.ObjectWrite{
			Time: time.Unix(int64(i)*1e6, 0).UTC(), Actor: hostile + strconv.Itoa(i%200), Verb: hostile, Subresource: hostile,
			Code: 200, Fields: []string{hostile + strconv.Itoa(i%900)},
		}
		line.Writes = append(line.Writes, w)
	}
	line.Fields = []schema.FieldValues{{Actor: hostile, Path: hostile, Count: 9000, Values: []string{hostile}}}
	r.Timelines = []schema.ObjectTimeline{line}
	before := len(write(t, read(t, "dumps/go1.26/stuck-abba.txt")))
	text := write(t, r)
	if n := len(text) - before; n > 150_000 {
		t.Errorf("the lanes have %d bytes", n)
	}
	if strings.Contains(text, "<img") || strings.Contains(text, "\u202e") || !strings.Contains(text, "190 more actors") {
		t.Error("hostile names are no text, or lanes are not counted")
	}
}

// TestLongNamesAreCut reads a profile whose functions have names of a megabyte.
func TestLongNamesAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	p := &pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7, DurationNanos: 30e9,
	}
	for i := range uint64(8) {
		name := "example.com/shop.(*T)." + strings.Repeat("m]]>\u202e", 1<<17) + strconv.Itoa(int(i))
		f := &pprof.Function{ID: i + 1, Name: name, Filename: "/src/" + name + ".go"}
		l := &pprof.Location{ID: i + 1, Address: 4096 + i, Line: []pprof.Line{{Function: f, Line: 7}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &pprof.Sample{Location: p.Location, Value: []int64{1e9}})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cpu.pb.gz")
	writeFile(t, file, b.String())
	r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{file}, Stacks: true})
	if err != nil {
		t.Fatal(err)
	}
	text := write(t, r)
	data, err := schema.ReadBlock([]byte(text), schema.DrawingsBlock, 1<<30)
	if err != nil || len(data) > 100_000 || len(text) > 1<<20 {
		t.Errorf("the drawings have %d bytes, the page %d: %v", len(data), len(text), err)
	}
	if !strings.Contains(text, "cpu") || strings.Contains(text, "\u202e") || strings.Contains(text, "]]>") {
		t.Error("the page holds what a name brought")
	}
}

// TestTheCodeIsSmall compresses the script and the style, which every page holds.
func TestTheCodeIsSmall(t *testing.T) {
	const most = 60_000
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for _, name := range []string{"page.min.js", "page.min.css"} {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(code); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", b.Len())
	if b.Len() > most {
		t.Errorf("the code has %d bytes compressed, at most %d", b.Len(), most)
	}
}

// unescaped undoes what html/template escapes in plain text.
func unescaped(s string) string {
	return strings.NewReplacer("&#39;", "'", "&#34;", `"`, "&lt;", "<", "&gt;", ">", "&#43;", "+", "&amp;", "&").Replace(s)
}

func FuzzReadBlock(f *testing.F) {
	r := schema.New("v0")
	var b bytes.Buffer
	if err := page.Write(&b, r, page.Options{}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`<script type="application/json+gzip" id="triage-report">H4sIAAAA</script>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if data, err := schema.ReadBlock(text, schema.ReportBlock, 1<<16); err == nil && len(data) > 1<<16 {
			t.Errorf("%d bytes", len(data))
		}
		element, err := schema.Block(schema.ReportBlock, text)
		if err != nil {
			t.Fatal(err)
		}
		back, err := schema.ReadBlock([]byte(element), schema.ReportBlock, int64(len(text)))
		if err != nil || !bytes.Equal(back, text) {
			t.Errorf("%d bytes came back as %d: %v", len(text), len(back), err)
		}
	})
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
