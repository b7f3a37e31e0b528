package triage

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/internal/where"
	"github.com/gotriage/triage/triage/schema"
)

// ShowOptions choose which goroutines to show; all that is set must hold. Options.Where is one of the conditions.
type ShowOptions struct {
	Options
	Goroutines []uint64 // by id
	Function   string   // a part of the name of a function on the stack
	State      string   // a goroutine's state as its header prints it, or its wait class
	Bucket     int      // the place in the dump's list of buckets, from 1
	Limit      int      // how many goroutines are shown, 0 for 10
}

// shownByDefault is how many goroutines Show returns by default: some screens.
const shownByDefault = 10

// maxShownLines bounds the lines of one goroutine: 100 frames, the creator and lines of others between them.
const maxShownLines = 300

// Show returns goroutines in the lines that the inputs print, one of each distinct stack first. It reads the inputs
// twice.
func Show(ctx context.Context, o ShowOptions) (*Excerpts, error) {
	x := &Excerpts{Schema: schema.ShowSchema, Shown: []schema.Excerpt{}, Skipped: []schema.Skipped{}}
	c := chooser{options: o, excerpts: x}
	if o.Where != "" {
		var err error
		if c.filter, err = where.Compile(o.Where); err != nil {
			return x, err
		}
		o.Where = "" // groups are chosen here, by their place in the whole list
	}
	second := o.readOptions()
	second.Progress = nil
	if o.Stdin != nil && slices.Contains(o.Inputs, "-") {
		again, drop, err := ingest.Hold(o.Stdin, ingest.Limits(o.Limits))
		if err != nil {
			return x, err
		}
		defer drop()
		o.Stdin, second.Stdin = again(), again()
	}
	code, err := o.openSource()
	defer code.close()
	if err != nil {
		return x, err
	}
	r, out, err := readAndJudge(ctx, o.Options, code)
	x.Skipped = append(x.Skipped, r.Skipped...)
	if err != nil {
		return x, err
	}
	c.report = r
	for i, d := range out.pass.Dumps {
		if err := c.chooseFromDump(d, &r.Dumps[i]); err != nil {
			return x, err
		}
	}
	picks := c.readLines(ctx, second)
	x.Source = code.addCodeToExcerpts(picks, x.Shown)
	if ctx.Err() != nil {
		return x, fmt.Errorf("reading the inputs: %w", context.Cause(ctx))
	}
	return x, nil
}

// A pick is a goroutine that is chosen, with what is known of its frames.
type pick struct {
	schema.Excerpt
	source   string // the first path of its source
	num      int64  // of its header in the source
	frames   []schema.Frame
	class    stackparse.Class
	culprits []string
	places   []int // for each of Lines the frame whose place it has, -1 for none; made by mark
}

// A chooser picks goroutines of dumps.
type chooser struct {
	options  ShowOptions
	filter   *where.Filter
	excerpts *Excerpts
	report   *Report
	first    []*pick // one of each stack
	others   []*pick
}

// chooseFromDump picks the goroutines of one dump; shown is its form in the report.
func (c *chooser) chooseFromDump(d *rules.DumpInput, shown *schema.Dump) error {
	for i, b := range d.Buckets {
		ok, err := c.wants(i, &shown.Buckets[i])
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		members := b.Goroutines
		if len(c.options.Goroutines) > 0 || c.options.State != "" {
			members = slices.DeleteFunc(slices.Clone(members), func(g stackparse.Goroutine) bool {
				return !c.wantsMember(d, b, &g)
			})
			if len(members) == 0 && (len(b.Goroutines) > 0 || !c.inState(string(b.Class), "")) {
				continue
			}
		}
		c.excerpts.Groups++
		c.chooseFromBucket(d, shown, i, members)
	}
	return nil
}

// wantsMember reports whether the conditions on goroutines choose g of bucket b.
func (c *chooser) wantsMember(d *rules.DumpInput, b *stackparse.Bucket, g *stackparse.Goroutine) bool {
	return (len(c.options.Goroutines) == 0 || slices.Contains(c.options.Goroutines, g.ID)) &&
		c.inState(string(b.Class), d.States[g.State])
}

// inState reports whether the state that was asked for is the class of a wait, or the state of a header. A goroutine
// that was just woken is runnable, and its class is what it waited for.
func (c *chooser) inState(class, header string) bool {
	want := c.options.State
	return want == "" || want == header || want == class && !stackparse.Runnable(header)
}

// wants reports whether the conditions on groups choose the bucket.
func (c *chooser) wants(i int, b *schema.Bucket) (bool, error) {
	if c.options.Bucket > 0 && c.options.Bucket != i+1 {
		return false, nil
	}
	has := func(f schema.Frame) bool { return strings.Contains(f.Function, c.options.Function) }
	if c.options.Function != "" && !slices.ContainsFunc(b.Frames, has) {
		return false, nil
	}
	if c.options.Where == "" {
		return true, nil
	}
	return c.filter.Match(b)
}

// chooseFromBucket picks goroutines of a bucket that is chosen.
func (c *chooser) chooseFromBucket(d *rules.DumpInput, shown *schema.Dump, i int, members []stackparse.Goroutine) {
	b := &shown.Buckets[i]
	source, _ := d.Locate(1)
	pick1 := func(id uint64, num int64) *pick {
		p := &pick{source: source, num: num, frames: b.Frames, class: d.Buckets[i].Class}
		p.Excerpt = schema.Excerpt{
			Input: shown.Input, Goroutine: id, Bucket: i + 1, Count: b.Count, State: b.State, Role: b.Role,
			Findings: []string{}, Lines: []schema.ExcerptLine{},
		}
		if num > 0 {
			p.Input, p.Line = d.Locate(num)
		}
		c.accuse(p)
		return p
	}
	if len(d.Buckets[i].Goroutines) == 0 {
		c.excerpts.Matched += b.Count
		p := pick1(0, 0)
		p.fillFromText(d.Buckets[i].Text)
		c.first = append(c.first, p)
		return
	}
	c.excerpts.Matched += len(members)
	for j := range members[:min(len(members), c.limit())] {
		list := &c.others
		if j == 0 {
			list = &c.first
		}
		*list = append(*list, pick1(members[j].ID, int64(members[j].Line)))
	}
}

func (c *chooser) limit() int {
	if c.options.Limit > 0 {
		return c.options.Limit
	}
	return shownByDefault
}

// accuse notes which findings speak of the goroutine, and whom they name.
func (c *chooser) accuse(p *pick) {
	for i := range c.report.Findings {
		f := &c.report.Findings[i]
		speaks := slices.ContainsFunc(f.Evidence, func(e rules.Evidence) bool {
			return e.Input == p.Input && (slices.Contains(e.Goroutines, p.Goroutine) && p.Goroutine != 0)
		})
		passes := slices.ContainsFunc(p.frames, func(fr schema.Frame) bool {
			return fr.Function == f.Culprit.Function && fr.Line == f.Culprit.Line
		})
		if speaks || passes && f.Culprit.Function != "" {
			p.Findings = append(p.Findings, f.Rule)
			p.culprits = append(p.culprits, f.Culprit.Function)
		}
	}
}

// readLines takes the lines of the goroutines that are shown: one of each stack first, then others.
func (c *chooser) readLines(ctx context.Context, o sources.Options) []*pick {
	picks := append(c.first, c.others...)
	picks = picks[:min(len(picks), c.limit())]
	bySource := map[string][]*pick{}
	for _, p := range picks {
		if p.num > 0 {
			bySource[p.source] = append(bySource[p.source], p)
		}
	}
	// What can't be read was reported by the first reading.
	_, _ = sources.Walk(ctx, o, o.Ingest(), func(s ingest.Source) struct{} {
		defer s.Forget()
		if picks := bySource[sources.FirstPath(s)]; len(picks) > 0 {
			extractFrom(ctx, s, picks, o.Ingest())
		}
		return struct{}{}
	})
	for _, p := range picks {
		p.matchFrames()
		c.excerpts.Shown = append(c.excerpts.Shown, p.Excerpt)
	}
	return picks
}

// extractFrom reads the lines of goroutines of one source.
func extractFrom(ctx context.Context, s ingest.Source, picks []*pick, o ingest.Options) {
	e := lineExtractor{picks: picks, open: map[int32]*pick{}}
	result, _ := ingest.Read(ctx, s, ingest.Handler{
		Lines: e.lines, Blob: func(ingest.Kind, []byte) error { return nil },
	}, o)
	if result == nil {
		return
	}
	for _, p := range picks {
		for i := range p.Lines {
			p.Lines[i].Input, p.Lines[i].Line = result.Locate(p.Lines[i].Line)
		}
	}
}

// A lineExtractor takes the lines of goroutines out of a source.
type lineExtractor struct {
	picks []*pick
	open  map[int32]*pick // by stream, the goroutine whose lines come
}

func (e *lineExtractor) lines(batch []ingest.Line) error {
	for i := range batch {
		l := &batch[i]
		header := bytes.HasPrefix(l.Text, []byte("goroutine "))
		if header {
			delete(e.open, l.Stream)
			for _, p := range e.picks {
				if p.num == l.Num && len(p.Lines) == 0 &&
					bytes.HasPrefix(l.Text, []byte("goroutine "+strconv.FormatUint(p.Goroutine, 10)+" ")) {
					e.open[l.Stream] = p
				}
			}
		}
		p := e.open[l.Stream]
		switch {
		case p == nil:
		case len(l.Text) == 0:
			delete(e.open, l.Stream)
		case len(p.Lines) == maxShownLines:
			p.Cut = true
			delete(e.open, l.Stream)
		default:
			p.Lines = append(p.Lines, schema.ExcerptLine{Line: l.Num, Text: string(l.Text)})
		}
	}
	return nil
}

// fillFromText fills in the lines of a form that counts stacks: those that were kept, else the frames.
func (p *pick) fillFromText(kept string) {
	for line := range strings.Lines(kept) {
		p.Lines = append(p.Lines, schema.ExcerptLine{Text: strings.TrimSuffix(line, "\n")})
	}
	if len(p.Lines) > 0 {
		return
	}
	for _, f := range p.frames {
		p.Lines = append(p.Lines, schema.ExcerptLine{Text: f.Function},
			schema.ExcerptLine{Text: "\t" + f.File + ":" + strconv.Itoa(f.Line)})
	}
}

// matchFrames finds the frame of each line.
func (p *pick) matchFrames() {
	next := 0
	p.places = slices.Repeat([]int{-1}, len(p.Lines))
	for i := range p.Lines {
		l := &p.Lines[i]
		if i > 0 && strings.HasPrefix(l.Text, "\t") {
			l.Class, l.Culprit = p.Lines[i-1].Class, p.Lines[i-1].Culprit
			p.places[i], p.places[i-1] = p.places[i-1], -1 // a call has its place in the line below
			continue
		}
		for j := next; j < len(p.frames); j++ {
			f := &p.frames[j]
			if f.Function != "" && holds(l.Text, f.Function) {
				l.Class, l.Culprit = f.Class, slices.Contains(p.culprits, f.Function)
				next, p.places[i] = j+1, j
				break
			}
		}
	}
}

// holds reports whether a line prints a call of the function: at its begin, or behind the address of a counted form.
func holds(line, function string) bool {
	i := strings.Index(line, function)
	if i < 0 || i > 0 && line[i-1] != '\t' && line[i-1] != ' ' {
		return false
	}
	rest := line[i+len(function):]
	return rest == "" || rest[0] == '(' || rest[0] == '+' || rest[0] == '\t'
}
