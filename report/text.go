// Package report renders a triage.Report: text for people (Text), JSON for programs (JSON), and the documentation of
// rules and roles (Rules, Explain).
//
// Everything in a report may come from a hostile log. Text passes every string through Escape before it reaches the
// writer; JSON writes the same characters as \u escapes, so that neither can move a terminal's cursor or turn the
// order of what is read.
//
// Stability: JSON is the contract triage/v1; text is for people, and its words may change with any release.
//
// Begin reading at Text. writeVerdict (verdict.go) writes the headline: its word comes from Word (leads.go), its
// sentence from view.sentence.
package report

// This file and its neighbours write the text report. The rules are:
//
//   - The order is that of the reader's questions: what was read, where to look first and how sure that is, findings
//     with why, fix and next, where to look then, who blocks whom, who else was running, what is left over, what was
//     subtracted, what logs and the cluster show besides, what was not collected, read or checked.
//   - There is always an answer where anything stands out: the first lead. Its first word states how sure it is.
//   - Beside a finding the rest is short: a third of the lines at most, in the median.
//   - One screen for one finding. With many, the first fullFindings in full and one line for each other one.
//   - Nothing is printed twice. What a reader can act on is never cut: functions, file:line, commands.
//   - "Not checked" is written, and never looks like "clean". No dump is called healthy.
//   - Import paths shorten from the left. Colour only repeats what words and marks mean.

import (
	"io"

	"github.com/gotriage/triage/triage/schema"
)

// Text writes r for people, section by section: each write method of view writes one, or nothing. r is not changed. The
// error is the writer's.
func Text(w io.Writer, r *schema.Report, o TextOptions) error {
	p := newPrinter(w, o)
	if r.Diff != nil {
		shown := *r
		shown.Findings = r.Diff.Findings.New // those in full are the ones that are new
		v := newView(&shown, p)
		v.writeDiff()
		p.repeat(o.Rows, wordAlarm, v.diffVerdict(r.Diff))
		return p.flush("the report as text")
	}
	v := newView(r, p)
	if o.Brief {
		v.writeBrief()
		v.writeAsides()
		return p.flush("the report as text")
	}
	if r.Where != "" {
		v.writeInputs()
		v.writeVerdict()
		v.writeMatching()
		v.writeAsides()
		v.writeSkipped()
		return p.flush("the report as text")
	}
	sections := []func(){
		v.writeInputs, v.writeVerdict, v.writePods, v.writeFindings, v.writeOtherPlaces, v.writeBlocked, v.writeFleet,
		v.writeSeries, v.writeWaits, v.writeProfiles, v.writeRunnables, v.writeOthers, v.writeExpected,
	}
	if !v.accuses() { // what is first to look at comes before findings that are less sure
		sections = []func(){
			v.writeInputs, v.writeVerdict, v.writeOtherPlaces, v.writeBlocked, v.writePods, v.writeFindings,
			v.writeFleet, v.writeSeries, v.writeWaits, v.writeRunnables, v.writeOthers, v.writeProfiles,
			v.writeExpected,
		}
	}
	for _, section := range append(sections, v.writeMeters, v.writeLogs, v.writeTrail, v.writeCluster, v.writeGroups,
		v.writeAsides, v.writeGaps, v.writeSkipped, v.writeAdvice, v.writeCoverage) {
		section()
	}
	p.repeat(o.Rows, v.word(), v.sentence())
	return p.flush("the report as text")
}

// repeat writes the headline once more where it has scrolled out of sight on a terminal of so many rows.
func (p *printer) repeat(rows int, word, sentence string) {
	if rows > 0 && p.lines >= rows {
		p.section(word, sentence)
	}
}
