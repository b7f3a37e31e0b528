// Package browser opens pages of `triage -o html` in a real Chromium.
package browser

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	pprof "github.com/google/pprof/profile"
)

// binary is the triage that is tested, "" before the first test builds it.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "triage-browser")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "triage")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/triage")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// triage runs the binary; exit statuses that are about findings are fine.
func triage(t testing.TB, args ...string) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, args...).Output()
	if err != nil {
		t.Fatalf("triage %v: %v", args, err)
	}
	return string(out)
}

func testdata(name string) string { return filepath.Join("..", "..", "testdata", name) }

// pageOf writes the page of inputs and returns its path.
func pageOf(t testing.TB, inputs ...string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(t.TempDir(), "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	triage(t, append(slices.Clone(inputs), "-o", "html", "--out", file)...)
	return file
}

// A tab is one page that is open, with all that the browser reported about it.
type tab struct {
	context.Context
	mu       sync.Mutex
	messages []string
	requests []string
}

// open opens a page from its file:// address, with a fragment, and waits until its script is done.
func open(t testing.TB, file, fragment string) *tab {
	t.Helper()
	b := &tab{Context: browser(t)}
	for _, err := range []error{
		chromedp.Listen(b, b.event), enable(b),
		chromedp.Do(b, chromedp.Navigate(address(file, fragment))),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	b.wait(t, `document.documentElement.dataset.ready === "true"`)
	return b
}

func address(file, fragment string) string {
	return (&url.URL{Scheme: "file", Path: file}).String() + fragment
}

func enable(ctx context.Context) error {
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	_, err := chromedp.Call(ctx, cdplog.Enable, cdp.Empty{})
	return err
}

// browser starts one, with a tab that ends with the test.
func browser(t testing.TB) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium-headless-shell", "chromium", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("no Chromium on this machine: the page is not opened in a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, timeout := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(timeout)
	return ctx
}

func (b *tab) event(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		b.messages = append(b.messages, fmt.Sprintf("console %s", e.Type))
	case *runtime.EventExceptionThrown:
		b.messages = append(b.messages, "exception: "+e.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		b.messages = append(b.messages, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// quiet fails the test where the page wrote to the console, broke its policy or asked for anything but itself.
func (b *tab) quiet(t testing.TB, file string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		t.Errorf("the browser reports: %s", m)
	}
	for _, r := range b.requests {
		if !strings.HasPrefix(r, address(file, "")) {
			t.Errorf("the page requests %s", r)
		}
	}
	if len(b.requests) == 0 {
		t.Error("not even the page itself was requested: the test sees no requests")
	}
}

// eval returns the value of a JavaScript expression in the page.
func eval[T any](t testing.TB, b *tab, expression string) T {
	t.Helper()
	v, err := chromedp.Run(b, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits for an expression to become true.
func (b *tab) wait(t testing.TB, expression string) {
	t.Helper()
	if _, err := chromedp.Run(b, chromedp.Poll[bool](expression)); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
}

func (b *tab) do(t testing.TB, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(b, steps...); err != nil {
		t.Fatal(err)
	}
}

// pages are those of every kind of evidence.
var pages = map[string][]string{
	"dump":     {"dumps/go1.26/stuck-abba.txt"},
	"profile":  {"profiles/client-cert-ecdsa.pb.gz"},
	"two":      {"dumps/go1.26/spin-gosched.txt", "dumps/go1.26/spin-gosched-2.txt"},
	"bundle":   {"pods"},
	"series":   {"well/chat.tar.zst"},
	"replicas": {"pods-fleet"},
	"audit":    {"cluster/field-flip-a.tar.zst"},
	"diff":     {"diff", "profiles/client-cert-rsa.pb.gz", "profiles/client-cert-ecdsa.pb.gz"},
}

func inputsOf(name string) (inputs []string) {
	for _, in := range pages[name] {
		if in != "diff" {
			in = testdata(in)
		}
		inputs = append(inputs, in)
	}
	return inputs
}

func TestPagesOpenFromAFileWithoutARequestOrAMessage(t *testing.T) {
	for name := range pages {
		t.Run(name, func(t *testing.T) {
			file := pageOf(t, inputsOf(name)...)
			b := open(t, file, "")
			if title := eval[string](t, b, `document.querySelector("h1").textContent`); title == "" {
				t.Error("no headline")
			}
			b.quiet(t, file)
		})
	}
}

func TestTheDifferenceOfTwoProfilesIsDrawnAndSearched(t *testing.T) {
	file := pageOf(t, inputsOf("diff")...)
	b := open(t, file, "#flames&search=GenerateKey")
	status := eval[string](t, b, `document.getElementById("flame-status").textContent`)
	if !strings.Contains(status, " → ") || !strings.Contains(status, "cores") || !strings.Contains(status, "(-") {
		t.Errorf("the search finds %q: less after than before is expected", status)
	}
	if legend := eval[string](t, b, `document.getElementById("flame-legend").textContent`); !strings.Contains(legend, "less after") {
		t.Errorf("legend %q", legend)
	}
	b.quiet(t, file)
}

func TestSearchAndZoomAreInTheAddressAndComeBack(t *testing.T) {
	file := pageOf(t, testdata("dumps/go1.26/spin-gosched.txt"))
	b := open(t, file, "#flames")
	b.do(t, chromedp.SendKeys("#flame-search", "gosched"))
	b.wait(t, `document.getElementById("flame-status").textContent.includes("pass a match")`)
	b.do(t)
	eval[bool](t, b, `["ArrowDown", "ArrowDown", "Enter"].every((key) =>
		!document.getElementById("flame").dispatchEvent(new KeyboardEvent("keydown", {key, cancelable: true})))`)
	hash := eval[string](t, b, `location.hash`)
	if !strings.Contains(hash, "search=gosched") || !strings.Contains(hash, "zoom=") || !strings.HasPrefix(hash, "#flames&") {
		t.Errorf("the address ends in %s", hash)
	}
	again := open(t, file, hash)
	if v := eval[string](t, again, `document.getElementById("flame-search").value`); v != "gosched" {
		t.Errorf("the search comes back as %q", v)
	}
	if n := eval[int](t, again, `document.getElementById("flame").height`); n < 20 {
		t.Errorf("the graph is %d pixels high", n)
	}
	again.quiet(t, file)
}

// TestTheFilterMeansWhatWhereMeans holds the page's filter against triage --where.
func TestTheFilterMeansWhatWhereMeans(t *testing.T) {
	dump := testdata("dumps/go1.26/spin-gosched.txt")
	b := open(t, pageOf(t, dump), "")
	count := regexp.MustCompile(`(?m)^MATCHING +([0-9,]+) goroutines? in ([0-9,]+) groups?`)
	for _, condition := range []string{
		`state == "select"`, `count > 3`, `count >= 4 and wait != "cond"`, `not (role == "")`, `role == "" or count == 1`,
		`function contains "main."`, `package == "main"`, `function startsWith "runtime." && count < 3`, `locked`,
		`created_by endsWith "main"`, `state in ["select", "sleep"]`, `wait matches "^chan"`, `package != "main"`, `minutes > 0`,
		`"main" in package`, `1 < count < 7`, `minutes % 2 == 0`, `state matches "(?i)SEL"`, `not ("main.worker" in function)`,
	} {
		text := triage(t, "--where", condition, "--width", "200", dump)
		m := count.FindStringSubmatch(text)
		if m == nil {
			t.Errorf("--where %s: %.200s", condition, text)
			continue
		}
		eval[bool](t, b, fmt.Sprintf(`(() => { const f = document.getElementById("groups-filter"); f.value = %q;
			return f.dispatchEvent(new Event("input")); })()`, condition))
		status := eval[string](t, b, `document.getElementById("groups-status").textContent`)
		if want := m[1] + plural(m[1]) + m[2] + " of "; !strings.HasPrefix(status, want) {
			t.Errorf("%s: the page says %q, the command %q", condition, status, m[0])
		}
	}
	for condition, want := range map[string]string{`stat == 1`: "unknown: stat", `count`: "must be true or false", `count >`: "ends too early", `(count > 1`: ") is missing", `count > 1 #`: "what is #?"} {
		eval[bool](t, b, fmt.Sprintf(`(() => { const f = document.getElementById("groups-filter"); f.value = %q;
			return f.dispatchEvent(new Event("input")); })()`, condition))
		if status := eval[string](t, b, `document.getElementById("groups-status").textContent`); !strings.Contains(status, want) {
			t.Errorf("%s: %q, not %q", condition, status, want)
		}
	}
}

// plural is what follows a number of goroutines.
func plural(n string) string {
	if n == "1" {
		return " goroutine in "
	}
	return " goroutines in "
}

func TestColumnsSortAndCommandsAreCopied(t *testing.T) {
	file := pageOf(t, testdata("dumps/go1.26/spin-gosched.txt"))
	b := open(t, file, "")
	column := `[...document.querySelectorAll("#groups-table tbody tr td:first-child")].map((c) => Number(c.textContent.replaceAll(",", "")))`
	eval[bool](t, b, `(document.querySelector("#groups-table th button").click(), true)`)
	values := eval[[]int](t, b, column)
	for i := 1; i < len(values); i++ {
		if values[i] > values[i-1] {
			t.Fatalf("not sorted: %v", values)
		}
	}
	if len(values) < 5 {
		t.Errorf("%d rows", len(values))
	}
	b.do(t, chromedp.Click(chromedp.CSS("button.copy")))
	b.wait(t, `document.querySelector("button.copy").textContent === "Copied"`)
	b.quiet(t, file)
}

func TestAPhoneShowsThePageWithoutScrollingSideways(t *testing.T) {
	for name := range pages {
		file := pageOf(t, inputsOf(name)...)
		b := open(t, file, "")
		b.do(t, chromedp.EmulateViewport(390, 844))
		if wide := eval[int](t, b, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("%s is %d pixels wide on a phone of 390: %s", name, wide, eval[string](t, b, `[...document.body.querySelectorAll("*")]
				.filter((e) => !e.closest(".scroll") && e.getBoundingClientRect().right > 390).map((e) => e.outerHTML.slice(0, 120)).slice(0, 4).join("\n")`))
		}
	}
}

func TestHostileNamesAreText(t *testing.T) {
	const name = `main.</script><script>window.broken=1</script>"'><img src=x onerror=window.broken=2>]]>` + "\u202e"
	var dump strings.Builder
	for i := range 3 {
		fmt.Fprintf(&dump, "goroutine %d [select, 9 minutes]:\n%s(...)\n\t/src/%s.go:10 +0x1d\n%s.f()\n\t/x.go:7 +0x1\n\n", i+1, name, name, strings.Repeat("main.x", 1<<18))
	}
	in := filepath.Join(t.TempDir(), "dump.txt")
	if err := os.WriteFile(in, []byte(dump.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	file := pageOf(t, in)
	b := open(t, file, "")
	if eval[bool](t, b, `"broken" in window || document.querySelector("img") !== null`) {
		t.Error("a name of the dump ran, or became an element")
	}
	b.quiet(t, file)
}

// TestPagesAreAccessible runs axe-core, which TRIAGE_AXE names, over pages in both themes.
func TestPagesAreAccessible(t *testing.T) {
	path := os.Getenv("TRIAGE_AXE")
	if path == "" {
		t.Skip("TRIAGE_AXE names no axe.min.js: accessibility is not checked")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name := range pages {
		file := pageOf(t, inputsOf(name)...)
		b := open(t, file, "")
		eval[bool](t, b, string(axe)+"; true")
		for _, theme := range []string{"light", "dark"} {
			eval[bool](t, b, `document.documentElement.dataset.theme = "`+theme+`"; window.found = null; axe.run().then((r) => {
				window.found = r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
					.map((v) => v.id + ": " + v.nodes[0].html + " " + v.nodes[0].failureSummary); }); true`)
			b.wait(t, `window.found !== null`)
			for _, violation := range eval[[]string](t, b, `window.found`) {
				t.Errorf("%s, %s: %s", name, theme, violation)
			}
		}
	}
}

// TestALargePageIsSmallAndOpens makes a dump of 100,000 goroutines in 3,000 stacks, and a profile of 5 MB. The time is
// logged, not checked: it is the machine's.
func TestALargePageIsSmallAndOpens(t *testing.T) {
	const maxPage = 8 << 20
	var dump strings.Builder
	for i := range 100_000 {
		stack := i % 3_000
		fmt.Fprintf(&dump, "goroutine %d [%s, %d minutes]:\n", i+1, []string{"select", "chan receive", "IO wait"}[stack%3], i%90)
		for depth := range 12 {
			fmt.Fprintf(&dump, "example.com/shop/part%d.(*Server).handle%d(...)\n\t/src/shop/part%d/file.go:%d +0x1d\n",
				stack%(depth*40+7), stack%(depth*200+11), stack%(depth*40+7), stack%900+depth)
		}
		dump.WriteString("\n")
	}
	in := filepath.Join(t.TempDir(), "dump.txt")
	if err := os.WriteFile(in, []byte(dump.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	profile := filepath.Join(t.TempDir(), "profile.pb.gz")
	if err := os.WriteFile(profile, largeProfile(t), 0o600); err != nil {
		t.Fatal(err)
	}
	file := pageOf(t, in, profile)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxPage {
		t.Errorf("the page has %d bytes, at most %d are promised", info.Size(), maxPage)
	}
	ctx := browser(t)
	b := &tab{Context: ctx}
	if err := chromedp.Do(b, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	b.do(t, chromedp.Navigate(address(file, "")))
	b.wait(t, `document.documentElement.dataset.ready === "true"`)
	t.Logf("%d goroutines, %d bytes of page, ready after %v", 100_000, info.Size(), time.Since(begun).Round(time.Millisecond))
}

// largeProfile is a CPU profile of 60,000 distinct stacks, about 5 MB compressed.
func largeProfile(t testing.TB) []byte {
	t.Helper()
	p := &pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7, DurationNanos: 30e9,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		f := &pprof.Function{ID: uint64(i + 1), Name: fmt.Sprintf("example.com/shop/%x.(*T%x).method%d", random.Uint64(), random.Uint32(), i), Filename: fmt.Sprintf("/src/%x.go", random.Uint64())}
		p.Function = append(p.Function, f)
		p.Location = append(p.Location, &pprof.Location{ID: f.ID, Address: random.Uint64(), Line: []pprof.Line{{Function: f, Line: int64(random.IntN(2000))}}})
	}
	for range 60_000 {
		s := &pprof.Sample{Value: []int64{1, 1e7}}
		for range 30 {
			s.Location = append(s.Location, p.Location[random.IntN(len(p.Location))])
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	t.Logf("the profile has %d bytes", b.Len())
	return b.Bytes()
}
