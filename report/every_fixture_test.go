package report_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

const fixtureDir = "../testdata/"

var fixtureWidths = []int{80, 100, 200}

// A fixtureReport is the report on one fixture.
type fixtureReport struct {
	name     string // its path below testdata
	healthy  bool   // its label says that nothing is wrong
	findings []rules.Finding
	leads    []schema.Lead
	texts    map[int]string // by width
}

// lines are those of the report at a width.
func (r *fixtureReport) lines(width int) []string {
	return strings.Split(strings.TrimSuffix(r.texts[width], "\n"), "\n")
}

// words are those that a headline may begin with.
var words = []string{"VERDICT", "LIKELY", "POSSIBLE", "LOOK FIRST", "NOTHING FOUND"}

// headline is the word and the sentence of the answer at a width, in one line as it was wrapped.
func (r *fixtureReport) headline(width int) (word, sentence string) {
	var parts []string
	for _, l := range r.lines(width) {
		if len(parts) == 0 {
			for _, w := range words {
				if first, begins := strings.CutPrefix(l, w+"  "); begins {
					word, parts = w, []string{first}
				}
			}
			continue
		}
		next, goesOn := strings.CutPrefix(l, strings.Repeat(" ", len(word)+2))
		if !goesOn {
			break
		}
		parts = append(parts, next)
	}
	return word, strings.Join(parts, " ")
}

// afterLastFinding is how many lines come after the last finding at a width.
func (r *fixtureReport) afterLastFinding(width int) int {
	last, inside := 0, false
	for i, l := range r.lines(width) {
		switch {
		case findingHead.MatchString(l):
			inside = true
		case l != "" && l[0] != ' ':
			inside = false
		}
		if inside && l != "" {
			last = i
		}
	}
	return len(r.lines(width)) - 1 - last
}

// findingHead matches the first line of a finding, and of those that have a line each.
var findingHead = regexp.MustCompile(`^(CRITICAL|HIGH|MEDIUM|LOW|INFO|MORE)  `)

// wellIn are the files of a folder that are of something healthy.
func wellIn(t *testing.T, folder string) map[string]bool {
	t.Helper()
	cases, err := captures.ReadCases(fixtureDir + folder + "/all.yaml")
	if err != nil {
		t.Fatal(err)
	}
	well := map[string]bool{}
	for _, c := range cases {
		well[c.Name] = c.RootCause.Category[0] == "none"
	}
	return well
}

// everyFixture reads each dump, profile and bundle of testdata by itself, and one dump of each form of the healthy
// programs.
func everyFixture(t *testing.T) []*fixtureReport {
	t.Helper()
	fixtures.Do(func() {
		book, err := triage.LoadRules(nil)
		if err != nil {
			t.Fatal(err)
		}
		add := func(dir, pattern string, healthy func(name string) bool) {
			paths, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(paths) == 0 {
				t.Fatalf("%d fixtures are %s: %v", len(paths), pattern, err)
			}
			for _, path := range paths {
				r := &fixtureReport{name: strings.TrimPrefix(path, dir+"/"), texts: map[int]string{}}
				r.healthy = healthy(r.name)
				full, err := triage.Run(t.Context(), triage.Options{Inputs: []string{path}, Book: &book})
				if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				r.findings, r.leads = full.Findings, full.Leads
				for _, w := range fixtureWidths {
					r.texts[w] = text(t, full, report.TextOptions{Width: w})
				}
				fixtureReports = append(fixtureReports, r)
			}
		}
		dumps, profiles, bundles := wellIn(t, "dumps"), wellIn(t, "profiles"), wellIn(t, "bundles")
		root := filepath.Clean(fixtureDir)
		never, always := func(string) bool { return false }, func(string) bool { return true }
		healthyProfile := func(name string) bool { return profiles[filepath.Base(name)] }
		for _, pattern := range []string{"profiles/*.pb.gz", "profiles/*.txt"} {
			add(root, pattern, healthyProfile)
		}
		healthyBundle := func(name string) bool { return bundles[filepath.Base(name)] }
		for _, pattern := range []string{"bundles/*.zip", "bundles/*.tar", "bundles/*.tar.[gx]z"} {
			add(root, pattern, healthyBundle)
		}
		add(root, "pods*", never)
		folders := map[string][]string{} // by pattern of the files in them
		for archives, pattern := range map[string]string{"well/*.tar.zst": "*-01.txt", "cluster/*-a.tar.zst": "bundle.tar"} {
			names, err := filepath.Glob(fixtureDir + archives)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				folders[pattern] = append(folders[pattern], captures.Unpack(t, name))
			}
		}
		unpacked, packed := captures.Dumps(t, fixtureDir+"dumps"), captures.Unpack(t, fixtureDir+"bundles/all.tar.xz")
		packedProfiles := captures.Unpack(t, fixtureDir+"profiles/all.tar.xz")
		// A report names paths: short ones wrap no line.
		for _, dir := range folders["*-01.txt"] {
			t.Chdir(dir)
			add(".", "*-01.txt", always)
		}
		for _, dir := range folders["bundle.tar"] {
			t.Chdir(dir)
			add(".", "bundle.tar", never)
		}
		t.Chdir(packedProfiles)
		add(".", "*", healthyProfile)
		t.Chdir(packed)
		add(".", "*", healthyBundle)
		t.Chdir(unpacked)
		add(".", "go*/*", func(name string) bool { return dumps[name] })
	})
	return fixtureReports
}

var (
	fixtures       sync.Once
	fixtureReports []*fixtureReport
)

func TestEveryVerdictAboutCodeHasItsLineAtEveryWidth(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	about := 0
	for _, r := range everyFixture(t) {
		if len(r.leads) == 0 || r.leads[0].Culprit == nil {
			continue
		}
		at := r.leads[0].Culprit
		if at.Function == "" || at.File == "" {
			continue
		}
		about++
		want := fmt.Sprintf("(%s:%d)", filepath.Base(at.File), at.Line)
		for _, w := range fixtureWidths {
			if _, sentence := r.headline(w); !strings.Contains(r.texts[w], want) || !strings.Contains(sentence, want) {
				t.Errorf("%s at %d columns: no %s in the verdict %q", r.name, w, want, sentence)
			}
		}
	}
	if about < 300 {
		t.Errorf("%d verdicts are about code", about)
	}
}

func TestAReportOfOneFindingHasAtMost40Lines(t *testing.T) {
	for _, r := range everyFixture(t) {
		bundle := strings.Contains(r.name, ".tar") || strings.HasSuffix(r.name, ".zip")
		if n := len(r.lines(100)); len(r.findings) == 1 && n > 40 && !bundle {
			t.Errorf("%s: %d lines", r.name, n)
		}
	}
}

func TestHealthyFixturesAreNotAccused(t *testing.T) {
	healthy := 0
	for _, r := range everyFixture(t) {
		if !r.healthy {
			continue
		}
		healthy++
		for _, w := range fixtureWidths {
			if word, sentence := r.headline(w); word == "VERDICT" || word == "" {
				t.Errorf("%s at %d columns: %s %s", r.name, w, word, sentence)
			}
		}
	}
	if healthy < 150 {
		t.Errorf("%d fixtures are healthy", healthy)
	}
}

func TestNoWhyIsCut(t *testing.T) {
	for _, r := range everyFixture(t) {
		for i := range r.findings[:min(len(r.findings), 3)] {
			if !strings.Contains(r.texts[80], r.findings[i].Name+" ("+r.findings[i].Rule+")") {
				continue // a remark that has one line
			}
			for _, w := range fixtureWidths {
				if !strings.Contains(collapse(r.texts[w]), collapse(r.findings[i].Why)) {
					t.Errorf("%s at %d columns: %s is cut: %s", r.name, w, r.findings[i].Rule, r.findings[i].Why)
				}
			}
		}
	}
}

// TestOnlyCommandsAreWiderThanTheReport allows a command's words: a path that the shell must get in one piece.
func TestOnlyCommandsAreWiderThanTheReport(t *testing.T) {
	beginsCommands := regexp.MustCompile(`^(  next  |COLLECT  )`)
	endsCommands := regexp.MustCompile(`^(  [a-z]+  |[A-Z]+  |[a-z])`)
	for _, r := range everyFixture(t) {
		for _, w := range fixtureWidths {
			commands := false
			for _, l := range r.lines(w) {
				switch {
				case beginsCommands.MatchString(l):
					commands = true
				case l == "" || endsCommands.MatchString(l):
					commands = false
				}
				if n := utf8.RuneCountInString(l); n > w && !commands {
					t.Errorf("%s at %d columns: %d columns: %s", r.name, w, n, l)
				}
			}
		}
	}
}

// TestMostLinesAreAboutTheFindings holds the median of the reports with a finding: at most a third of the lines come
// after the last one. It was 0.35 before the sections beside a culprit became short.
func TestMostLinesAreAboutTheFindings(t *testing.T) {
	for _, w := range fixtureWidths {
		var shares []float64
		for _, r := range everyFixture(t) {
			if len(r.findings) > 0 {
				shares = append(shares, float64(r.afterLastFinding(w))/float64(len(r.lines(w))))
			}
		}
		slices.Sort(shares)
		median := shares[len(shares)/2]
		t.Logf("at %d columns %.3f of the lines of %d reports", w, median, len(shares))
		if median > 1./3 {
			t.Errorf("at %d columns %.2f of the lines come after the last finding, in the median of %d", w, median, len(shares))
		}
	}
}
