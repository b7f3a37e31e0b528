package redact

import (
	"archive/tar"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/redact/testdata/secrets"
)

// hiddenOf redacts the samples as files of one archive and returns which of them lost their secrets.
func hiddenOf(t *testing.T, samples []secrets.Sample) []bool {
	t.Helper()
	in, out := filepath.Join(t.TempDir(), "in.tar"), filepath.Join(t.TempDir(), "out.tar")
	f, err := os.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(f)
	for _, s := range samples {
		if err := w.WriteHeader(&tar.Header{Name: "b/" + s.File, Mode: 0o644, Size: int64(len(s.Text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, s.Text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Copy(t.Context(), in, out, CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "again.tar")
	if _, err := Copy(t.Context(), out, again, CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	copied, twice := filesOf(t, out), filesOf(t, again)
	for name, text := range copied {
		if name != reportName && twice[name] != text {
			t.Errorf("a copy of the copy of %s is another:\n%s\n%s", name, text, twice[name])
		}
	}
	if sum, err := Copy(t.Context(), out, "", CopyOptions{Check: true}); err != nil || len(sum.Places) > 0 {
		t.Errorf("a check of the copy: %v, %v", sum.Places, err)
	}
	hidden := make([]bool, len(samples))
	for i, s := range samples {
		text, ok := copied[s.File]
		if !ok {
			t.Fatalf("%s (%s) is not in the copy", s.File, s.Context)
		}
		hidden[i] = true
		for _, secret := range s.Secrets {
			hidden[i] = hidden[i] && !strings.Contains(text, secret)
		}
	}
	return hidden
}

// filesOf are the files of a tar, without the folder that they are in.
func filesOf(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files := map[string]string{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(h.Name, "b/")] = string(text)
	}
}

// corpusSeeds are those over which the figures of docs/sharing.md are measured.
const corpusSeeds = 3

// A score counts secrets that were hidden, of all.
type score struct{ hidden, all int }

func (s score) percent() string { return fmt.Sprintf("%.1f", 100*float64(s.hidden)/float64(s.all)) }

// scored redacts what the maker makes by each seed and returns the scores by family, in order, and over all. What is
// not hidden is logged.
func scored(t *testing.T, make func(seed uint64) []secrets.Sample) (families []string, by map[string]score, all score) {
	t.Helper()
	by = map[string]score{}
	for seed := range uint64(corpusSeeds) {
		samples := make(*firstSeed + seed)
		for i, hidden := range hiddenOf(t, samples) {
			s := by[samples[i].Family]
			if s.all++; hidden {
				s.hidden++
				all.hidden++
			} else {
				t.Logf("not hidden: %s in %s: %.200q", samples[i].Family, samples[i].Context, samples[i].Text)
			}
			by[samples[i].Family] = s
			all.all++
		}
	}
	return slices.Sorted(maps.Keys(by)), by, all
}

// The figures of docs/sharing.md are those of the seeds from 0 on; nobody can have looked at those of a random one.
var firstSeed = flag.Uint64("seed", 0, "measure secrets of `SEED` and the two after it, and write nothing")

var update = flag.Bool("update", false, "write the figures into docs/sharing.md")

// The floors are under what is measured, so that what was found once stays found.
func TestSecretsAreHiddenInTheContextsTheyAreWrittenIn(t *testing.T) {
	families, by, all := scored(t, secrets.Samples)
	if n := len(secrets.Samples(0)); n < 600 {
		t.Errorf("%d secrets", n)
	}
	_, _, held := scored(t, secrets.HeldSamples)
	_, _, later := scored(t, secrets.LaterSamples)
	_, _, assumed := scored(t, secrets.AssumedSamples)
	if 1000*assumed.hidden < 990*assumed.all {
		t.Errorf("hidden: %s %% of %d that people assume to be gone", assumed.percent(), assumed.all)
	}
	if 1000*all.hidden < 995*all.all || 100*held.hidden < 98*held.all || 100*later.hidden < 98*later.all {
		t.Errorf("hidden: %s %% of %d, %s %% of %d, and %s %% of %d",
			all.percent(), all.all, held.percent(), held.all, later.percent(), later.all)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| family | secrets | hidden |\n|---|--:|--:|\n")
	for _, f := range families {
		fmt.Fprintf(&b, "| %s | %d | %s%% |\n", f, by[f].all, by[f].percent())
	}
	fmt.Fprintf(&b, "| all, in %d contexts | %d | %s%% |\n", secrets.Contexts(), all.all, all.percent())
	fmt.Fprintf(&b, "| %d contexts written after the detectors | %d | %s%% |\n", secrets.HeldContexts(), held.all, held.percent())
	fmt.Fprintf(&b, "| %d contexts written later still | %d | %s%% |\n", secrets.LaterContexts(), later.all, later.percent())
	fmt.Fprintf(&b, "| %d contexts in which people assume that secrets are redacted | %d | %s%% |\n",
		secrets.AssumedContexts(), assumed.all, assumed.percent())
	if *firstSeed != 0 {
		t.Logf("seeds %d to %d:\n%s", *firstSeed, *firstSeed+corpusSeeds-1, b.String())
		return
	}
	checkFigures(t, b.String())
}

// checkFigures compares the table in docs/sharing.md with what was measured, or writes it.
func checkFigures(t *testing.T, table string) {
	t.Helper()
	const path, begin, end = "../../docs/sharing.md", "<!-- measured -->\n", "<!-- end -->"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(doc), begin)
	was, tail, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the figures", path)
	case was == table:
	case *update:
		if err := os.WriteFile(path, []byte(head+begin+table+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what is measured: go test ./internal/redact -run SecretsAreHidden -update\n%s", path, table)
	}
}

func TestTheMakerOfSecretsSharesNoCodeWithTheRedactor(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./testdata/secrets").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(out)); got != "github.com/gotriage/triage/internal/redact/testdata/secrets" {
		t.Errorf("it imports %s", got)
	}
}

func TestWhatIdentifiesObjectsAndBuildsSurvives(t *testing.T) {
	for seed := range uint64(corpusSeeds) {
		for _, s := range secrets.Survivors(seed) {
			if got := NewText(Options{}).String(s); got != s {
				t.Errorf("harmed: %s -> %s", s, got)
			}
		}
	}
}

func TestLabelsLoseTheirValuesInReportsAndCopies(t *testing.T) {
	text := NewText(Options{})
	const line = `# labels: {"tenant":"bigbank", "go::goroutine_state":"select"}`
	if got, want := text.String(line), `# labels: {"tenant":"word-1", "go::goroutine_state":"select"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	type share struct{ Key, Value string }
	report := struct {
		Labels []string `json:"labels"`
		Shares []share  `json:"-"`
		Of     struct {
			Labels []share `json:"labels"`
		}
	}{Labels: []string{"tenant: bigbank, zone: x", "queue: "}}
	report.Of.Labels = []share{{"tenant", "bigbank"}, {"tenant", ""}}
	text.Values(&report)
	if got := report.Labels[0]; got != "tenant: word-1, zone: word-2" || report.Labels[1] != "queue: " {
		t.Errorf("%q", report.Labels)
	}
	if got := report.Of.Labels; got[0] != (share{"tenant", "word-1"}) || got[1].Value != "" {
		t.Errorf("%q", got)
	}
}
