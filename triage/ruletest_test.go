package triage

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const ownRule = `rules:
  - id: ACME001
    name: deep-queue
    category: other
    severity: medium
    confidence: medium
    metrics: {when: 'name == "acme_depth" && value > 10'}
    finds: deep queues
    title: "{process} has {value} items"
    why: It is deep.
    fix: Add workers.
    false_positives: none
`

// ruleFolder writes files into a folder and returns the path of acme.yaml there.
func ruleFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "acme.yaml")
}

func TestRulesAreHeldAgainstTheFixturesBesideThemAndThoseThatTheyName(t *testing.T) {
	depth := func(n, want string) string {
		return "A queue.\n-- metrics.txt --\n# TYPE acme_depth gauge\nacme_depth " + n + "\n-- want --\n" + want
	}
	results, _, err := TestRules(context.Background(), ruleFolder(t, map[string]string{
		"acme.yaml":            ownRule + "fixtures: [\"more/*.txtar\", \"acme.txtar\"]\n",
		"acme.txtar":           depth("12", "ACME001 medium/medium 12\n"),
		"acme-near.txtar":      depth("9", ""),
		"other.txtar":          depth("12", ""),
		"more/high.txtar":      depth("12", "ACME001 high/medium\n"),
		"more/two.txtar":       depth("12", "ACME001\nACME001\n"),
		"more/unwanted.txtar":  depth("12", ""),
		"more/wantless.txtar":  "-- metrics.txt --\nacme_depth 12\n",
		"more/upwards.txtar":   "-- ../metrics.txt --\nacme_depth 12\n-- want --\n",
		"more/unfolded.txtar":  "-- a×99999999 --\nx\n-- want --\n",
		"more/nothing-1.txtar": depth("1", "TR101\n"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range results {
		text := strings.Join(r.Missing, "|") + ";" + strings.Join(r.Surplus, "|")
		if r.Err != nil {
			text = r.Err.Error()
		}
		got[filepath.ToSlash(r.Name)] = text
	}
	const found = "ACME001 medium/medium other metrics.txt has 12 items"
	for name, want := range map[string]string{
		"acme.txtar": ";", "acme-near.txtar": ";", "more/high.txtar": "ACME001 high/medium;" + found,
		"more/two.txtar":      "ACME001;",
		"more/unwanted.txtar": ";" + found, "more/wantless.txtar": "it has no file `want`",
		"more/upwards.txtar":  "escapes",
		"more/unfolded.txtar": "there is no file to continue", "more/nothing-1.txtar": "TR101;",
	} {
		if want == ";" && got[name] != want || !strings.Contains(got[name], want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("others: %v", got)
	}
}

func TestARuleFileReachesNoFixtureOutsideItsFolder(t *testing.T) {
	outside := ruleFolder(t, map[string]string{"acme.yaml": "", "secret.txtar": "-- want --\n"})
	for _, pattern := range []string{"../*/secret.txtar", filepath.ToSlash(filepath.Dir(outside)) + "/*.txtar",
		"absent.txtar"} {
		file := ruleFolder(t, map[string]string{"acme.yaml": ownRule + "fixtures: [\"" + pattern + "\"]\n"})
		if r, _, err := TestRules(context.Background(), file); err == nil || !strings.Contains(err.Error(),
			"matches no file") {
			t.Errorf("%s: %v, %v", pattern, r, err)
		}
	}
}
