package accuracy

import (
	"fmt"
	"strings"
)

const (
	page   = "../../docs/accuracy.md"
	readme = "../../README.md"

	faultyTitle = "\n## With a fault\n\n"
	wellTitle   = "\n## Without a fault\n\n"
	formsTitle  = "\n## Which capture shows the most\n\n"

	readmeBegin = "<!-- accuracy -->\n\n"
	readmeEnd   = "\n<!-- end accuracy -->"
)

// pageText is docs/accuracy.md. Rows that were not measured are those of the old page.
func pageText(rows []*row, old string) string {
	var b strings.Builder
	fmt.Fprintf(&b, pageHead, populationList())
	_, oldFaulty, _ := strings.Cut(old, faultyTitle)
	_, oldWell, _ := strings.Cut(oldFaulty, wellTitle)
	oldFaulty, _, _ = strings.Cut(oldFaulty, wellTitle)
	b.WriteString(faultyTitle + table(rows, false, oldFaulty))
	b.WriteString(wellTitle + table(rows, true, oldWell))
	b.WriteString(formsTitle + formTable(rows))
	return b.String()
}

// table prints the figures about inputs with a fault, or about those without.
func table(rows []*row, well bool, old string) string {
	var b, rule strings.Builder
	b.WriteString("| population | half | programs | inputs |")
	rule.WriteString("|---|---|--:|--:|")
	for i := range figures {
		if figures[i].healthy == well {
			b.WriteString(" " + figures[i].name + " |")
			rule.WriteString("--:|")
		}
	}
	b.WriteString("\n" + rule.String() + "\n")
	for _, r := range append(append([]*row{}, rows...), sums(rows)...) {
		head := fmt.Sprintf("| %s | %s |", r.population, halfWord(r.half))
		programs, inputs := len(r.programs[0]), r.faulty
		if well {
			programs, inputs = len(r.programs[1]), r.well
		}
		switch {
		case !r.measured():
			b.WriteString(lineOf(old, head))
			continue
		case inputs == 0:
			continue
		}
		fmt.Fprintf(&b, "%s %d | %d |", head, programs, inputs)
		for i := range figures {
			if figures[i].healthy == well {
				b.WriteString(" " + figures[i].cell(r) + " |")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// sums are the rows of all open halves and of all closed ones. What is judged a second time, with its source, and what
// is not in this repository is left out.
func sums(rows []*row) []*row {
	opened, shut := newRow("all", "open"), newRow("all", "closed")
	for _, r := range rows {
		switch {
		case r.outside || strings.HasSuffix(r.population, sourced):
		case isClosed(r.half):
			shut.plus(r)
		default:
			opened.plus(r)
		}
	}
	return []*row{opened, shut}
}

// lineOf is the line of a page that begins with a head, "" for none.
func lineOf(text, head string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, head) {
			return line
		}
	}
	return ""
}

// halfWord is a half with a note if it is closed.
func halfWord(half string) string {
	if isClosed(half) {
		return half + " (closed)"
	}
	return half
}

// formTable shows how often published bugs are found in one form of capture and another.
func formTable(rows []*row) string {
	var b strings.Builder
	b.WriteString("| capture | open: inputs | answer1 | answer3 | closed: inputs | answer1 | answer3 |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, form := range []struct{ name, words string }{
		{"fetch", "what `triage fetch` collects"}, {"two", "two dumps, minutes apart"}, {"debug2", "a dump (`debug=2`)"},
		{"signal", "a dump from a signal"}, {"debug1", "a goroutine profile (`debug=1`)"}, {"goroutine", "a goroutine profile (binary)"},
		{"cpu", "a CPU profile"}, {"heap", "a heap profile"},
	} {
		sum := [2]*row{newRow("", ""), newRow("", "")}
		for _, r := range rows {
			if f := r.forms[form.name]; f != nil && r.population == bugs {
				sum[one(isClosed(r.half))].plus(f)
			}
		}
		fmt.Fprintf(&b, "| %s |", form.words)
		for _, s := range sum {
			fmt.Fprintf(&b, " %d | %s | %s |", s.faulty, figures[0].cell(s), figures[1].cell(s))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// readmeFigures is what README says about how often triage is right: of closed halves only.
func readmeFigures(rows []*row) string {
	var b strings.Builder
	b.WriteString("| what was captured | inputs | the first lead is right | one of the first three leads is right |\n|---|--:|--:|--:|\n")
	for _, name := range []string{bugs, trackers, everyday, busyOnes, clusterLab} {
		sum := newRow(name, "")
		for _, r := range rows {
			if r.population == name && isClosed(r.half) {
				sum.plus(r)
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", name, sum.faulty, figures[0].cell(sum), figures[1].cell(sum))
	}
	all := sums(rows)[1]
	fmt.Fprintf(&b, "\nIn %d of %d captures of faulty programs, a high-severity alarm named the wrong place or the wrong fault. "+
		"%d of %d captures of healthy programs raised an alarm.\n",
		all.accused, all.all, all.alarms, all.well)
	return b.String()
}

// populationList is a row for each population.
func populationList() string {
	var b strings.Builder
	for _, p := range populations {
		fmt.Fprintf(&b, "| %s | %s |\n", p.name, p.what)
	}
	return b.String()
}

const pageHead = `# How accurate triage is

This page answers three questions. How often does triage point at the right place? How often does it accuse the wrong
one? How often does it raise an alarm although nothing is wrong?

The answers come from captures of programs and clusters whose fault is known. The label of a capture names the function,
file or Kubernetes object at fault, or says that nothing is wrong. Each label was written before triage saw the capture.
Labels are in testdata, next to the captures. A test replays all captures and writes this page:

    make score                                                    # prints the tables
    make score FLAGS='-misses -population "published bugs"'       # also prints the misses in open halves

## Populations

| population | captures of |
|---|---|
%s
Most populations are split into two or more parts, called halves here. Rules and weights were developed with the open
halves. The closed halves are used only for measuring: nobody looks at their captures to see why triage misses a fault,
and no output names one of their cases. So trust the figures for closed halves more. Even these are not perfect: they
were measured many times while triage changed. The misses in the second half of published bugs were once listed, and the
second halves of small services and everyday mistakes were open for a while. Some halves were never opened: the fifth of
published bugs, the second of bugs from issue trackers, all unseen halves, and half b. The open third halves of everyday
mistakes and textbook faults come from authors who had read neither the rules nor the other programs. They were measured
once before triage was changed because of them: answer1 was 75%% for everyday mistakes (177 inputs) and 95%% for textbook
faults (194 inputs), answer3 was 82%% and 99%%, and none of 93 inputs without a fault raised an alarm. This first
measurement used no source, and included captures that are no longer kept.

The captures are of small programs, real servers and a real control plane under test. Their faults are planted or
reproduced, and little else is wrong in them. A process in production has more going on. So each dump is judged twice:
alone, and together with the dump of a healthy, busy service with hundreds of goroutines.

## Figures

An *input* is one capture in one form: a dump, two dumps, a profile, a bundle, the audit logs. Inputs that can't show the
fault, such as a CPU profile of a deadlock, count only in the figure *accused*.

| figure | share or number of inputs in which |
|---|---|
| answer1, answer3 | the first lead is at the right place; one of the first three leads is |
| named | a finding names the right place, with the severity that the fault deserves |
| details | of those, the finding also names each client, field and cause that the label lists |
| silent | there is no lead |
| accused | an alarm of high or critical severity is about another place, or another kind of fault |
| beside1, beside3 | answer1 and answer3 for dumps that are judged together with the dump of a busy service |
| largest | the largest group of goroutines without a known role is at the right place (a reader's first guess) |
| alarms | an alarm is raised although nothing is wrong |
| leads, strong | there is a lead but no alarm; the first lead is a finding, not only a suspect |

A *lead* is a place to look at; the report lists the most likely first. An *alarm* is a finding whose severity and
confidence are medium or above. Healthy programs have leads too: the report shows their largest or oldest groups.
testdata/accuracy-floors.tsv contains the minimum of each figure, and the maximum number of alarms and accusations.
These bounds are only ever tightened.
`
