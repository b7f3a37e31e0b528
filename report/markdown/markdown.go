// Package markdown renders a triage.Report for an issue, a chat or a pull request: the headline, the findings with
// their evidence and fix, and folded details, under MaxBytes. Texts of the inputs are data: they form no markup, no
// link and no mention of a user.
package markdown

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// MaxBytes bounds the text: GitHub takes 65,536 characters for an issue or a comment.
const MaxBytes = 60_000

const (
	fullFindings = 3
	maxEvidence  = 6
	maxRows      = 20
)

// Write writes r. r is not changed. The error is the writer's.
func Write(w io.Writer, r *schema.Report) error {
	b := &builder{names: report.InputNames(r)}
	if r.Diff != nil {
		b.diff(r)
	} else {
		b.report(r)
	}
	if _, err := io.WriteString(w, b.text.String()); err != nil {
		return fmt.Errorf("writing Markdown: %w", err)
	}
	return nil
}

// A builder writes blocks, and leaves out those that no longer fit.
type builder struct {
	text  strings.Builder
	names report.Names
	cut   int // blocks that were left out
}

// reserve is kept for the line that counts what was left out.
const reserve = 200

// block writes a block with an empty line behind it, where it fits.
func (b *builder) block(s string) {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return
	}
	if b.text.Len()+len(s)+2 > MaxBytes-reserve {
		b.cut++
		return
	}
	b.text.WriteString(s + "\n\n")
}

func (b *builder) report(r *schema.Report) {
	b.block("### triage: " + plain(report.Headline(r)))
	for _, l := range report.Suspects(r) {
		b.suspect(l)
	}
	for i := range r.Findings[:min(len(r.Findings), fullFindings)] {
		b.finding(&r.Findings[i])
	}
	if rest := r.Findings[min(len(r.Findings), fullFindings):]; len(rest) > 0 {
		b.details(phrase.Count(len(rest), "more finding"), b.list(rest))
	}
	b.waits(r)
	b.pods(r)
	b.groups(r)
	b.coverage(r)
	b.end()
}

// end counts what was left out.
func (b *builder) end() {
	if b.cut > 0 {
		b.text.WriteString("*" + phrase.Count(b.cut, "part") + " left out: the text would be too long for an issue. " +
			"`triage -o html` holds everything.*\n")
	}
}

// finding writes one in full.
func (b *builder) finding(f *rules.Finding) {
	head := "**" + strings.ToUpper(string(f.Severity)) + "** " + plain(report.Title(f))
	if at := place(f.Culprit.File, f.Culprit.Line); at != "" && !strings.Contains(f.Title, at) {
		head += " (" + code(at) + ")"
	}
	b.block(head + "  \n" + plain(fmt.Sprintf("%s (%s), %s, confidence %s", f.Name, f.Rule, f.Category, f.Confidence)))
	var lines []string
	for _, e := range f.Evidence[:min(len(f.Evidence), maxEvidence)] {
		lines = append(lines, report.Escape(e.Text)+"    "+b.at(e.Input, e.Line))
	}
	if n := len(f.Evidence) - len(lines); n > 0 {
		lines = append(lines, "+"+phrase.Number(n)+" more like it")
	}
	b.block(fence("text", lines))
	if f.Code != nil {
		b.block("**Code** " + plain(report.CodeTitle(f.Code)))
		b.block(fence("text", report.CodeLines(f.Code, ">")))
		if args := report.CodeArgs(f.Code); args != "" {
			b.block("Arguments " + plain(args))
		}
	}
	b.block("**Why** " + plain(f.Why))
	b.sentences("But", f.Against)
	if f.Fix != "" {
		b.block("**Fix** " + plain(f.Fix))
	}
	if len(f.Path) > 0 {
		b.details("Stack, the leaf first", fence("text", stack(f)))
	}
	b.steps("Next", f.Next)
}

// suspect writes a place that no finding is about, with what speaks for and against it.
func (b *builder) suspect(l *schema.Lead) {
	b.block("**LOOK AT** " + plain(l.Title))
	b.sentences("For", l.For)
	b.sentences("But", l.Against)
	b.steps("Next", l.Next)
}

// sentences writes a list behind a label.
func (b *builder) sentences(label string, list []string) {
	if len(list) == 0 {
		return
	}
	b.block("**" + label + "** " + plain(strings.Join(list, "; ")))
}

// stack is a finding's path, leaf first, the culprit marked.
func stack(f *rules.Finding) (lines []string) {
	for _, p := range slices.Backward(f.Path) {
		mark := "  "
		if p.Function == f.Culprit.Function && p.Line == f.Culprit.Line {
			mark = "> "
		}
		lines = append(lines, mark+report.Escape(symbol.StripVendor(p.Function))+"  "+place(p.File, p.Line))
	}
	return lines
}

// steps writes commands, comments above them as the shell has them.
func (b *builder) steps(label string, steps []rules.Step) {
	var lines []string
	for _, s := range steps {
		if comment := report.Escape(s.Remark()); comment != "" {
			lines = append(lines, "# "+comment)
		}
		lines = append(lines, strings.Split(strings.ReplaceAll(report.Escape(s.Command), `\n`, "\n"), "\n")...)
	}
	if len(lines) > 0 {
		b.block("**" + label + "**\n" + fence("sh", lines))
	}
}

// list is a line for each finding.
func (b *builder) list(findings []rules.Finding) string {
	var s strings.Builder
	for i := range findings[:min(len(findings), maxRows)] {
		f := &findings[i]
		fmt.Fprintf(&s, "- **%s** %s (%s)\n", strings.ToUpper(string(f.Severity)), plain(report.Title(f)),
			plain(f.Rule))
	}
	if n := len(findings) - maxRows; n > 0 {
		fmt.Fprintf(&s, "- and %s more\n", phrase.Number(n))
	}
	return s.String()
}

func (b *builder) waits(r *schema.Report) {
	rows := [][]string{{"Object", "Waiting", "Candidate holders", "Blocked by"}}
	for i := range r.Dumps {
		for _, w := range r.Dumps[i].Waits {
			if len(w.Holders) == 0 || len(rows) > maxRows {
				continue
			}
			var holders []string
			for _, h := range w.Holders {
				holders = append(holders, "goroutine "+strconv.FormatUint(h.Goroutine, 10))
			}
			rows = append(rows, []string{
				w.Kind + " " + w.Object, phrase.Count(w.Waiters, "goroutine"), strings.Join(holders, ", "), w.BlockedBy,
			})
		}
	}
	if len(rows) > 1 {
		b.details("Who blocks whom", table(rows))
	}
}

func (b *builder) pods(r *schema.Report) {
	if len(r.Pods) == 0 {
		return
	}
	rows := [][]string{{"Pod", "Container", "Restarts", "State", "Finding"}}
	for i := range r.Pods[:min(len(r.Pods), maxRows)] {
		p := &r.Pods[i]
		restarts := ""
		if p.Restarts >= 0 {
			restarts = strconv.Itoa(p.Restarts)
		}
		rows = append(rows, []string{strings.TrimPrefix(p.Namespace+"/"+p.Pod, "/"), p.Container, restarts, p.State,
			p.Title})
	}
	b.details(phrase.Count(max(r.PodsTotal, len(r.Pods)), "pod"), table(rows))
}

// groups lists the groups of goroutines that no role explains.
func (b *builder) groups(r *schema.Report) {
	rows := [][]string{{"Goroutines", "State", "Where"}}
	more := 0
	for i := range r.Dumps {
		for j := range r.Dumps[i].Buckets {
			bucket := &r.Dumps[i].Buckets[j]
			if bucket.Role != "" {
				continue
			}
			if len(rows) > maxRows {
				more++
				continue
			}
			rows = append(rows, []string{phrase.Number(bucket.Count), bucket.State, where(bucket)})
		}
	}
	if len(rows) > 1 {
		text := table(rows)
		if more > 0 {
			text += "\nand " + phrase.Count(more, "more group") + "\n"
		}
		b.details("Goroutines that no role explains", text)
	}
}

// where is the first frame of a group that is not the runtime's or the standard library's.
func where(bucket *schema.Bucket) string {
	f, ok := report.Blamed(bucket.Frames)
	if !ok {
		return ""
	}
	return symbol.ShortFunc(f.Function) + " " + place(f.File, f.Line)
}

func (b *builder) coverage(r *schema.Report) {
	var s strings.Builder
	fmt.Fprintf(&s, "Checked %s: %s with findings, %s clear, %s not applicable.\n\n",
		phrase.Count(r.Rules.Checked, "rule"), phrase.Number(r.Rules.Fired), phrase.Number(r.Rules.Clear),
		phrase.Number(r.Rules.NotApplicable))
	for i, in := range r.Inputs {
		if i == maxRows {
			fmt.Fprintf(&s, "- and %s\n", phrase.Count(len(r.Inputs)-i, "more input"))
			break
		}
		fmt.Fprintf(&s, "- %s (%s)\n", code(b.at(in.Path, 0)), plain(in.Kind))
	}
	for i, skip := range r.Skipped {
		if i == maxRows {
			fmt.Fprintf(&s, "- and %s skipped\n", phrase.Count(len(r.Skipped)-i, "more path"))
			break
		}
		fmt.Fprintf(&s, "- skipped %s: %s\n", code(b.at(skip.Path, 0)), plain(skip.Reason))
	}
	b.details("What was checked", s.String())
}

// diff writes a comparison for a pull request: what is new, what is gone.
func (b *builder) diff(r *schema.Report) {
	d := r.Diff
	b.block("### triage diff: " + plain(report.Headline(r)))
	if len(d.Findings.New) == 0 {
		b.block("No new finding.")
	}
	for _, l := range report.Suspects(r) {
		b.suspect(l)
	}
	for i := range d.Findings.New[:min(len(d.Findings.New), fullFindings)] {
		b.finding(&d.Findings.New[i])
	}
	if rest := d.Findings.New[min(len(d.Findings.New), fullFindings):]; len(rest) > 0 {
		b.block("**" + phrase.Count(len(rest), "more new finding") + "**\n\n" + b.list(rest))
	}
	if len(d.Findings.Gone) > 0 {
		b.block("**Gone**\n\n" + b.list(d.Findings.Gone))
	}
	if len(d.Findings.Both) > 0 {
		b.details(phrase.Count(len(d.Findings.Both), "finding")+" on both sides", b.list(d.Findings.Both))
	}
	rows := [][]string{{"Before", "After", "Where", "Wait"}}
	for _, g := range d.Buckets {
		if g.Before != g.After && len(rows) <= maxRows {
			rows = append(rows, []string{phrase.Number(g.Before), phrase.Number(g.After),
				symbol.ShortFunc(g.Function) + " " + place(g.File, g.Line), g.Wait})
		}
	}
	if len(rows) > 1 {
		b.details("Goroutines that changed in number", table(rows))
	}
	for i := range d.Profiles {
		b.profile(&d.Profiles[i])
	}
	b.coverage(r)
	b.end()
}

func (b *builder) profile(p *schema.ProfileDiff) {
	rows := [][]string{{"Before", "After", "Change", "Function"}}
	for i := range p.Functions[:min(len(p.Functions), maxRows)] {
		f := &p.Functions[i]
		if !f.Noise {
			rows = append(rows, []string{fmt.Sprintf("%.4g", f.Before), fmt.Sprintf("%.4g", f.After),
				fmt.Sprintf("%+.4g", f.Change), symbol.ShortFunc(f.Function) + " " + place(f.File, f.Line)})
		}
	}
	title := fmt.Sprintf("%s: %.4g before, %.4g after (%s)", p.Kind, p.Before.Value, p.After.Value, p.Rate)
	if len(rows) > 1 {
		b.details(title, table(rows))
		return
	}
	b.block(plain(title))
}

// details folds a block under its summary.
func (b *builder) details(summary, text string) {
	b.block("<details><summary>" + plain(summary) + "</summary>\n\n" + strings.TrimRight(text, "\n") + "\n\n</details>")
}

func (b *builder) at(input string, line int64) string {
	return report.Escape(b.names.At(input, line))
}

func place(file string, line int) string {
	switch {
	case file == "":
		return ""
	case line <= 0:
		return report.Escape(symbol.ShortFile(file))
	}
	return report.Escape(symbol.ShortFile(file)) + ":" + strconv.Itoa(line)
}
