package accuracy

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	update  = flag.Bool("update", false, "write docs/accuracy.md and the figures of README.md")
	raise   = flag.Bool("raise", false, "raise the floors to what is better now")
	only    = flag.String("population", "", "measure this population only, and print its figures")
	half    = flag.String("half", "", "measure this half of the populations only, and print its figures")
	program = flag.String("program", "", "measure this program only, if its half is open, and print its leads")
	misses  = flag.Bool("misses", false, "print what is wrong in open halves")
)

// The names of populations that more than one place needs.
const (
	bugs       = "published bugs"
	trackers   = "bugs from issue trackers"
	everyday   = "everyday mistakes"
	busyOnes   = "busy services"
	clusterLab = "a real control plane"
	sourced    = ", --source" // ends the name of what is judged with its source
)

// populations are all that is measured.
var populations = []population{
	{name: bugs, what: "bugs in public modules, each captured in a version with the bug and in one without it",
		labels: "wild/bugs/"},
	{name: bugs + ", 30 minutes old", what: "published bugs that hang, 30 minutes later", labels: "wild/bugs/",
		archives: "aged/lab/bugs/"},
	{name: "look-alikes", what: "healthy programs written to look faulty", labels: "wild/healthy/"},
	{name: "look-alikes, 30 minutes old", what: "look-alikes that wait, 30 minutes later", labels: "wild/healthy/",
		archives: "aged/lab/healthy/"},
	{name: "real servers", what: "etcd, Prometheus, the API server and others at work", labels: "wild/servers/"},
	{name: "programs 20 minutes old", what: "small programs whose goroutines wait, and real servers", labels: "aged/"},
	{name: "small services", what: "services that hang in the usual ways, and services that only seem to",
		labels: "services/", sourced: true},
	{name: trackers, what: "kinds of bugs reported in issue trackers of public modules, each with its fixed version",
		labels: "services/reported-", sourced: true},
	{name: everyday, what: "programs that use well-known libraries, with a mistake or without",
		labels: "services/everyday-", sourced: true},
	{name: "textbook faults", what: "faults that every engineer knows by name, with healthy look-alikes",
		labels: "textbook/", sourced: true},
	{name: "unclear waits", what: "programs whose source shows whether a wait can end", labels: "coded/", sourced: true},
	{name: busyOnes, what: "services that spin, waste CPU or hoard memory, and services that work hard",
		labels: "wild/busy/"},
	{name: clusterLab, what: "days in the life of a cluster, with one fault or none: audit logs, objects, logs, bundles",
		labels: "cluster/", captures: clusterForms},
	{name: "simulated clusters", what: "the same faults and smaller ones, in a simulated API server", labels: "scenes/",
		captures: playedForms},
	{name: "one dump, one fault", what: "dumps of Go 1.12 to 1.27 in all formats", labels: "dumps/"},
	{name: "one profile, one fault", what: "profiles of programs that do one thing wrong", labels: "profiles/"},
	{name: "one bundle, one fault", what: "support bundles in the layouts of the usual collectors", labels: "bundles/"},
	{name: "crashes without a dump", what: "pods that end with an error, and pods that log errors and keep running, with ten " +
		"logging libraries", labels: "lastwords/"},
	{name: "programs at work", what: "22 healthy programs, 20 dumps of each", labels: "well/", captures: atWork},
	{name: "public reports", what: "small inputs modelled on reports that people published", folder: publicDir},
	{name: "collected cases", what: "programs and profiles modelled on real failures, not in this repository",
		folder: collected("cases"), outside: true},
	{name: "GoKer", what: "the blocking kernels of GoBench (CGO 2021) that hang, not in this repository",
		folder: collected("goker-dev"), outside: true},
}

// collected is a folder with cases from outside.
func collected(set string) string { return filepath.Join(os.Getenv(corpusEnv), set) }

func TestAccuracyIsAsDocumented(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	all := slices.DeleteFunc(allBatches(t), func(b *batch) bool {
		return *only != "" && !strings.HasPrefix(b.population, *only) || *half != "" && b.half != *half ||
			*program != "" && isClosed(b.half)
	})
	replay(t, all)
	rows := rowsOf(all)
	fmt.Print(wrong(all))
	fmt.Print(table(rows, false, "") + "\n" + table(rows, true, ""))
	if *only+*half+*program != "" {
		return
	}
	compare(t, page, func(old string) string { return pageText(rows, old) })
	compare(t, readme, func(old string) string {
		before, rest, ok := strings.Cut(old, readmeBegin)
		_, after, ok2 := strings.Cut(rest, readmeEnd)
		if !ok || !ok2 {
			t.Fatalf("%s: no %q followed by %q", readme, readmeBegin, readmeEnd)
		}
		return before + readmeBegin + readmeFigures(rows) + readmeEnd + after
	})
	for _, text := range undercut(rows, readFloors(t)) {
		t.Error(text)
	}
	if *raise {
		write(t, floorsFile, raised(rows, readFloors(t)))
	}
	if os.Getenv(corpusEnv) == "" {
		t.Logf("%s is not set: the rows of what is not in this repository are as they were", corpusEnv)
	}
}

func allBatches(t *testing.T) (all []*batch) {
	for i := range populations {
		all = append(all, populations[i].batches(t)...)
	}
	return all
}

// compare compares a file with what it should be, or writes it.
func compare(t *testing.T, file string, fresh func(old string) string) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	text := fresh(string(old))
	if *update {
		write(t, file, text)
	} else if text != string(old) {
		t.Errorf("%s is stale: go test ./internal/accuracy -update, and read what changed", file)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// wrong is what is wrong in open halves, as the flags ask for it.
func wrong(batches []*batch) string {
	var b strings.Builder
	for _, batch := range batches {
		for _, in := range batch.judged {
			if isClosed(batch.half) {
				continue
			}
			at := fmt.Sprintf("%s\t%s\t%s\t", batch.of(in), batch.half, in.name)
			if text := in.wrong(); text != "" && (*misses || *program != "") {
				b.WriteString(at + text + "\n")
			}
			for _, line := range in.outcome.said {
				b.WriteString(at + line + "\n")
			}
		}
	}
	return b.String()
}

// wrong is what is wrong about what was said of an input, "" for nothing.
func (in *input) wrong() string {
	o := &in.outcome
	switch {
	case o.loud != "":
		return "wrong alarm: " + o.loud
	case in.label.isHealthy() || in.hidden:
		return ""
	case o.lead == 0:
		return fmt.Sprintf("no lead is right, the first is %q", o.first)
	case o.lead != 1:
		return fmt.Sprintf("the lead at place %d is right, the first is %q", o.lead, o.first)
	case !o.named:
		return "too mild: " + o.first
	case !o.whole && len(in.label.says) > 0:
		return fmt.Sprintf("it lacks one of %q: %s", in.label.says, o.first)
	case in.dump && o.beside != 1:
		return fmt.Sprintf("beside %s its place is %d", besideOf(in.name), o.beside)
	}
	return ""
}
