package accuracy

import (
	"flag"
	"fmt"
	"os"
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

// populations are all that is measured: what each is, and its batches.
var populations = []struct {
	name, what string
	batches    func(t *testing.T, name string) []*batch
}{
	{bugs, "bugs in public modules, each captured in a version with the bug and in one without it", published(wildDir)},
	{bugs + ", 30 minutes old", "published bugs that hang, 30 minutes later", published(agedDir + "/lab")},
	{"look-alikes", "healthy programs written to look faulty", tempting(wildDir)},
	{"look-alikes, 30 minutes old", "look-alikes that wait, 30 minutes later", tempting(agedDir + "/lab")},
	{"real servers", "etcd, Prometheus, the API server and others at work", servers},
	{"programs 20 minutes old", "small programs whose goroutines wait, and real servers", aged},
	{"small services", "services that hang in the usual ways, and services that only seem to", services("labels.tsv",
		"")},
	{trackers, "kinds of bugs reported in issue trackers of public modules, each with its fixed version", services("reported.tsv",
		"reported-")},
	{everyday, "programs that use well-known libraries, with a mistake or without", mistakes},
	{"textbook faults", "faults that every engineer knows by name, with healthy look-alikes", textbook},
	{"unclear waits", "programs whose source shows whether a wait can end", coded},
	{busyOnes, "services that spin, waste CPU or hoard memory, and services that work hard", busy},
	{clusterLab, "days in the life of a cluster, with one fault or none: audit logs, objects, logs, bundles", clusters},
	{"simulated clusters", "the same faults and smaller ones, in a simulated API server", scenes},
	{"one dump, one fault", "dumps of Go 1.12 to 1.27 in all formats", dumps},
	{"one profile, one fault", "profiles of programs that do one thing wrong", profiles},
	{"one bundle, one fault", "support bundles in the layouts of the usual collectors", bundles},
	{"crashes without a dump", "pods that end with an error, and pods that log errors and keep running, with ten " +
		"logging libraries", lastWords},
	{"programs at work", "22 healthy programs, 20 dumps of each", atWork},
	{"public reports", "small inputs modelled on reports that people published", public},
	{"collected cases", "programs and profiles modelled on real failures, not in this repository", collected("cases")},
	{"GoKer", "the blocking kernels of GoBench (CGO 2021) that hang, not in this repository", collected("goker-dev")},
}

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
	for _, p := range populations {
		all = append(all, p.batches(t, p.name)...)
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
	case !o.whole && len(in.label.Says) > 0:
		return fmt.Sprintf("it lacks one of %q: %s", in.label.Says, o.first)
	case in.dump && o.beside != 1:
		return fmt.Sprintf("beside %s its place is %d", besideOf(in.name), o.beside)
	}
	return ""
}
