package report_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files; read them afterwards")

func text(t testing.TB, r *schema.Report, o report.TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestText_LooksLikeTheGoldenFiles(t *testing.T) {
	for name, r := range situations() {
		for _, width := range []int{80, 100, 200} {
			golden(t, fmt.Sprintf("%s.%d.txt", name, width), text(t, r, report.TextOptions{Width: width}))
		}
		golden(t, name+".all.txt", text(t, r, report.TextOptions{All: true}))
	}
}

func TestText_SpinFitsOneScreenAndItsFirstLinesSayEverything(t *testing.T) {
	for _, width := range []int{80, 100, 200} {
		lines := strings.Split(strings.TrimSuffix(text(t, spinReport(), report.TextOptions{Width: width}), "\n"), "\n")
		if len(lines) > 45 {
			t.Errorf("width %d: %d lines, more than a screen of 45", width, len(lines))
		}
		top := strings.Join(lines[:15], "\n")
		for _, want := range []string{
			"1 dump, SIGABRT, Go 1.18, 2,764 goroutines in 14 groups; 2,740 idle", // subtraction
			"certs.(*listener).Refresh.func1", "listener.go:168",                  // culprit
			"listener.go:165", // creator
			"goroutine 6139 [runnable]", "1.log:15178", "HIGH", "busy-wait (TR101)", "confidence medium",
			"why", "polls instead of waiting", "fix", "sync.Cond", "next", "kubectl -n shop top pod --containers manager-0",
		} {
			if !strings.Contains(collapse(top), want) {
				t.Errorf("width %d: the first lines don't say %q:\n%s", width, want, top)
			}
		}
	}
}

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestText_LinesKeepTheWidthAndEndWithoutSpaces(t *testing.T) {
	// What may be wider: a word that must not be broken (a function, a command's word).
	for name, r := range situations() {
		if name == "hostile" {
			continue
		}
		for _, width := range []int{60, 80, 100, 200} {
			for _, all := range []bool{false, true} {
				for i, line := range strings.Split(text(t, r, report.TextOptions{Width: width, All: all}), "\n") {
					if n := utf8.RuneCountInString(line); n > width {
						t.Errorf("%s at %d: line %d has %d columns: %s", name, width, i+1, n, line)
					}
					if strings.TrimRight(line, " \t") != line {
						t.Errorf("%s at %d: line %d ends in a space: %q", name, width, i+1, line)
					}
				}
			}
		}
	}
}

func TestText_PrintsNoSentenceTwice(t *testing.T) {
	for name, r := range situations() {
		if name == "hostile" || name == "many" {
			continue
		}
		seen := map[string]bool{}
		for line := range strings.SplitSeq(text(t, r, report.TextOptions{}), "\n") {
			line = strings.TrimSpace(line)
			if seen[line] && strings.Contains(line, " ") { // a word alone is the rest of a wrapped line
				t.Errorf("%s: twice: %q", name, line)
			}
			seen[line] = true
		}
		for _, f := range r.Findings {
			if n := strings.Count(collapse(text(t, r, report.TextOptions{Width: 200})), f.Title); n != 1 {
				t.Errorf("%s: the title %q stands there %d times", name, f.Title, n)
			}
		}
	}
}

func TestText_ColourOnlyPaintsWhatPlainTextSays(t *testing.T) {
	sgr := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for name, r := range situations() {
		for _, all := range []bool{false, true} {
			plain := text(t, r, report.TextOptions{All: all})
			painted := text(t, r, report.TextOptions{Color: true, All: all})
			if strings.Contains(plain, "\x1b") {
				t.Errorf("%s: plain text holds an escape character", name)
			}
			if got := sgr.ReplaceAllString(painted, ""); got != plain {
				t.Errorf("%s: colour changes the text:\n%s", name, cmp.Diff(plain, got))
			}
			if painted == plain {
				t.Errorf("%s: nothing was painted", name)
			}
		}
	}
}

func TestText_HostileStringsReachNoTerminal(t *testing.T) {
	for _, o := range []report.TextOptions{{}, {All: true}, {Width: 1}, {ASCII: true, All: true}} {
		for i, r := range text(t, hostileReport(), o) {
			if r != '\n' && (r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e ||
				r >= 0x2066 && r <= 0x2069 || r == 0xfeff || r == utf8.RuneError) {
				t.Errorf("%+v: %U at byte %d", o, r, i)
			}
			if o.ASCII && r > '~' {
				t.Errorf("%+v: %U at byte %d", o, r, i)
			}
		}
	}
}

func TestText_HostileLengthIsCutUnlessAllIsAsked(t *testing.T) {
	if n := strings.Count(text(t, hostileReport(), report.TextOptions{}), "\n"); n > 400 {
		t.Errorf("%d lines", n)
	}
}

func TestText_NeverCallsAnythingHealthy(t *testing.T) {
	for name, r := range situations() {
		got := strings.ToLower(text(t, r, report.TextOptions{All: true}))
		for _, word := range []string{"healthy", "all good", "all clear", "no problem"} {
			if strings.Contains(got, word) {
				t.Errorf("%s: says %q", name, word)
			}
		}
	}
}

func TestText_WithoutFindingsSaysWhatStandsInTheWay(t *testing.T) {
	r := watchReport()
	r.Dumps[0].Unparsed = 12
	r.Dumps[0].Truncated = "head"
	got := collapse(text(t, r, report.TextOptions{}))
	for _, want := range []string{"nothing stands out in 212 goroutines, 5 to watch; but 1 dump is incomplete and 12 lines are not part of a stack",
		"its beginning is missing", "take two more dumps"} {
		if !strings.Contains(got, want) {
			t.Errorf("doesn't say %q:\n%s", want, got)
		}
	}
}

func TestText_WithoutADumpNothingLooksChecked(t *testing.T) {
	got := collapse(text(t, noDumpReport(), report.TextOptions{}))
	for _, want := range []string{"no goroutine dump in the input, so nothing was checked", "rules had anything to look at", "kill -ABRT 1"} {
		if !strings.Contains(got, want) {
			t.Errorf("doesn't say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "clear") {
		t.Errorf("says clear:\n%s", got)
	}
}

func TestText_ALongPathKeepsLeafCulpritOwnAndCreator(t *testing.T) {
	got := text(t, crashReport(), report.TextOptions{})
	for _, want := range []string{"▶ example.com/shop/orders/internal/price.(*Table).Lookup", "frames between", "created by net/http.(*Server).Serve"} {
		if !strings.Contains(got, want) {
			t.Errorf("doesn't show %q:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "  server.go:"); n > 2 {
		t.Errorf("%d frames of net/http:\n%s", n, got)
	}
}

func TestText_CommandsRunWhenCopied(t *testing.T) {
	got := text(t, noDumpReport(), report.TextOptions{Width: 60})
	want := "  # WARNING: where the image has no kill\n  kubectl -n shop debug -it manager-0 --image=busybox \\\n    --target=manager -- sh -c 'kill -ABRT 1'\n"
	if !strings.Contains(got, want) {
		t.Errorf("want\n%s\nin\n%s", want, got)
	}
}

func TestText_FindsTheCreatorInTheOtherFileOfARotatedPair(t *testing.T) {
	r := spinReport()
	r.Inputs = append(r.Inputs, schema.Input{Path: "2.log", Kind: "pod-log"})
	r.Findings[0].Evidence[0].Input, r.Findings[0].Evidence[0].Line = "2.log", 7
	got := text(t, r, report.TextOptions{})
	for _, want := range []string{"2.log:7", "created by example.org/edge/certs.(*listener).Refresh  listener.go:165"} {
		if !strings.Contains(got, want) {
			t.Errorf("doesn't show %q:\n%s", want, got)
		}
	}
}

func TestText_FindsTheStackOfACountedDumpWithoutIDs(t *testing.T) {
	r := spinReport()
	r.Findings[0].Evidence[0].Goroutines = nil
	for i := range r.Dumps[0].Buckets {
		r.Dumps[0].Buckets[i].Goroutines = nil
	}
	got := text(t, r, report.TextOptions{})
	if !strings.Contains(got, "Refresh  listener.go:165") {
		t.Errorf("no creator's line:\n%s", got)
	}
	if _, leftovers, _ := strings.Cut(got, "OTHERS"); strings.Contains(leftovers, "Refresh.func1") {
		t.Errorf("the accused is listed as left over:\n%s", got)
	}
}

func TestText_GoroutinesOfAnotherDumpWithTheSameIDStayLeftOver(t *testing.T) {
	r := spinReport()
	other := r.Dumps[0]
	other.Input, other.Runnable = "other.log", nil
	other.Buckets = []schema.Bucket{{State: "IO wait", Wait: "io", Count: 1, Goroutines: []uint64{6139},
		Frames: []schema.Frame{fn("example.com/other.wait", "/src/other.go", 5, "own")}}}
	r.Dumps = append(r.Dumps, other)
	if got := text(t, r, report.TextOptions{All: true}); !strings.Contains(got, "other.wait") {
		t.Errorf("a goroutine of another process is taken for the accused:\n%s", got)
	}
}

func TestText_InnocentsForOneReasonAreOneLine(t *testing.T) {
	r := watchReport()
	for i := range r.Dumps[0].Runnable {
		r.Dumps[0].Runnable[i].Verdict, r.Dumps[0].Runnable[i].Reason = "innocent", "the process was ended"
	}
	got := text(t, r, report.TextOptions{})
	if !strings.Contains(got, "  innocent  goroutines 71, 80, 81, 82, +1 more: the process was ended\n") {
		t.Error(got)
	}
	if strings.Contains(got, "two more dumps") {
		t.Errorf("nobody is to watch:\n%s", got)
	}
}

func TestText_TheVerdictIsAsSureAsTheFinding(t *testing.T) {
	for _, c := range []struct {
		severity   rules.Severity
		confidence rules.Confidence
		want       string
	}{
		{rules.High, rules.ConfHigh, "VERDICT  certs."},
		{rules.High, rules.ConfMedium, "VERDICT  certs."},
		{rules.High, rules.ConfLow, "LIKELY  certs."},
		{rules.Low, rules.ConfMedium, "POSSIBLE  certs."},
		{rules.Info, rules.ConfLow, "\nINFO  busy-wait (TR101) · spin · confidence low\n"},
	} {
		r := spinReport()
		r.Findings[0].Severity, r.Findings[0].Confidence = c.severity, c.confidence
		if got := text(t, r, report.TextOptions{}); !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: no %q in\n%s", c.severity, c.confidence, c.want, got)
		}
	}
}

func TestText_InASCIIKeepsEveryMark(t *testing.T) {
	golden(t, "spin.ascii.txt", text(t, spinReport(), report.TextOptions{ASCII: true}))
}

func TestText_DoesNotChangeTheReport(t *testing.T) {
	changed := situations()
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		text(t, changed[name], report.TextOptions{})
		text(t, changed[name], report.TextOptions{All: true})
	}
	if diff := cmp.Diff(situations(), changed); diff != "" {
		t.Error(diff)
	}
}

// A failingWriter takes nothing.
type failingWriter struct{}

var errFull = errors.New("disk full")

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestEveryRendererReturnsTheWritersError(t *testing.T) {
	for name, err := range map[string]error{
		"Text":    report.Text(failingWriter{}, spinReport(), report.TextOptions{}),
		"JSON":    report.JSON(failingWriter{}, spinReport()),
		"Rules":   report.Rules(failingWriter{}, someRules(), nil, report.TextOptions{}),
		"Explain": report.Explain(failingWriter{}, someRules()[0], report.TextOptions{}),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestText_MarksTheGoStatementWhereItIsTheCulprit(t *testing.T) {
	r := spinReport()
	by := r.Dumps[0].Buckets[10].CreatedBy
	r.Findings[0].Culprit = rules.Place{Function: by.Function, File: by.File, Line: by.Line}
	got := text(t, r, report.TextOptions{})
	if !strings.Contains(got, "▶ created by example.org/edge/certs.(*listener).Refresh  listener.go:165") {
		t.Error(got)
	}
}

func TestText_ShowsACulpritThatThePathLeftOut(t *testing.T) {
	r := spinReport()
	r.Findings[0].Culprit = rules.Place{Function: "example.com/shop.Deep", File: "/src/deep.go", Line: 3}
	got := text(t, r, report.TextOptions{})
	if !strings.Contains(got, "▶ example.com/shop.Deep") || !strings.Contains(got, "deep.go:3") {
		t.Error(got)
	}
}

func TestText_SaysWhatKindOfDumpItIs(t *testing.T) {
	for _, c := range []struct {
		d    schema.Dump
		want string
	}{
		{schema.Dump{Format: "signal", Signal: "SIGQUIT", Reason: "SIGQUIT: quit"}, "1 dump, SIGQUIT, "},
		{schema.Dump{Format: "signal", Reason: "panic: boom"}, "1 dump, panic, "},
		{schema.Dump{Format: "signal", Reason: "fatal error: all goroutines are asleep - deadlock!"}, "fatal error: all goroutines are asleep - deadlock!, "},
		{schema.Dump{Format: "signal"}, "runtime traceback"},
		{schema.Dump{Format: "debug2"}, "all stacks (debug=2)"},
		{schema.Dump{Format: "debug1"}, "goroutine profile (debug=1)"},
		{schema.Dump{Format: "profile"}, "goroutine profile"},
		{schema.Dump{Format: "race", Reason: "data race"}, "1.log: data race\n"},
		{schema.Dump{Format: "debug2", Truncated: "both"}, "its beginning and its end are missing"},
		{schema.Dump{Format: "debug2", Seen: 1000}, "printed 1,000 times"},
	} {
		c.d.Input = "1.log"
		got := text(t, &schema.Report{Inputs: []schema.Input{{Path: "1.log"}}, Dumps: []schema.Dump{c.d}}, report.TextOptions{Width: 200})
		if !strings.Contains(got, c.want) {
			t.Errorf("no %q in\n%s", c.want, got)
		}
	}
}

func TestAReportThatScrollsAwayRepeatsItsHeadline(t *testing.T) {
	for name, r := range situations() {
		once := text(t, r, report.TextOptions{})
		rows := strings.Count(once, "\n")
		if got := text(t, r, report.TextOptions{Rows: rows + 1}); got != once {
			t.Errorf("%s: on a terminal that shows all of it the report differs:\n%s", name, got)
		}
		got := text(t, r, report.TextOptions{Rows: rows})
		last, begun := strings.CutPrefix(got, once+"\n")
		if !begun || !strings.Contains(once, last) {
			t.Errorf("%s: behind a report that scrolls away stands %q, not its headline", name, last)
		}
	}
}
