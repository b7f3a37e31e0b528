package sources

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/schema"
)

// An intake hands what ingest reads of one source to its readers: lines to one dump parser a stream, and those outside
// dumps to the miner; audit events and Kubernetes objects to theirs. Readers are made when there is something to read.
type intake struct {
	parsers   []*stackparse.Parser // by stream
	dumps     *dumpKeeper
	inside    int64 // lines inside dumps
	skips     []schema.Skipped
	progress  *schema.Progress
	path      string
	period    period
	onProfile func(profile.Kind)
	source    ingest.Source
	room      *reportRoom
	reports   []*heldReport
	profiles  []*profile.Profile
	capture   *identity.Capture
	sample    func(*metrics.Sample) bool // asked for by a rule; nil for none

	miner  *logpattern.Miner
	store  *kube.Store
	kube   *kube.Reader
	events *audit.Reader
	texts  kube.Texts

	metrics []*metrics.Scrape
	cgroups []*cgroup.Group
	sketch  *sketch // nil where no other source is read, which it could be a copy of
	notes   bool    // the lines describe the bundle that the source lies in
}

func newIntake(s ingest.Source, o Options) *intake {
	path := FirstPath(s)
	in := &intake{
		dumps: newDumpKeeper(maxDistinct), progress: o.counted(), path: path, period: period{o.Since, o.Until},
		onProfile: o.OnProfile, store: o.store, source: s, room: o.reports, notes: kube.WantsLines(path),
	}
	if o.KeepSample != nil {
		target := identity.TargetFrom(path, s.Origin)
		in.sample = func(s *metrics.Sample) bool { return o.KeepSample(s, path, target) }
	}
	if alone := len(o.Inputs) == 1 && len(s.Parts) == 1 && path == o.Inputs[0]; !alone {
		in.sketch = &sketch{seed: o.seed}
	}
	return in
}

func (in *intake) lines(batch []ingest.Line) error {
	in.progress.Lines.Add(int64(len(batch)))
	sketch, bounded := in.sketch, in.period.bounded()
	for i := 0; i < len(batch); {
		stream := batch[i].Stream
		if int(stream) >= len(in.parsers) {
			in.grow(stream)
		}
		for p := in.parsers[stream]; i < len(batch) && batch[i].Stream == stream; i++ {
			l := &batch[i]
			if bounded && !in.period.holds(l.Stamp) {
				continue
			}
			if sketch != nil {
				sketch.line(l.Text, l.Stamp)
			}
			p.Line(l.Text, l.Num, l.Stamp)
			if !p.InStack() {
				in.logLine(l)
			}
		}
	}
	return nil
}

// goroutines takes the goroutines that text begins with, one by one, as lines takes their lines. Of framed ones it
// takes the first.
func (in *intake) goroutines(text []byte, at ingest.LineContext) (n int, lines int64) {
	if at.Stamp != nil && (in.sketch != nil || in.period.bounded()) {
		return 0, 0 // each line has a time that counts
	}
	if int(at.Stream) >= len(in.parsers) {
		in.grow(at.Stream)
	}
	p := in.parsers[at.Stream]
	for num := at.Num; ; {
		var size int
		var count int64
		switch {
		case at.Escaped:
			size, count = p.Escaped(text[n:], num, at.Stamp)
		case at.Framing != nil:
			size, count = p.Framed(text[n:], num, at.Stamp, at.Framing)
		default:
			size, count = p.Goroutine(text[n:], num, at.Stamp)
		}
		if size == 0 {
			break
		}
		switch {
		case in.sketch == nil:
		case at.Escaped:
			in.sketch.escaped(text[n : n+size])
		default:
			in.sketch.text(text[n : n+size])
		}
		n += size
		if lines += count; !at.Escaped {
			num += count
		}
		if p.InStack() {
			break
		}
		end := at.EndStamp
		if at.Framing != nil {
			end = at.Framing.LastStamp(text[:n])
		}
		// The empty line behind the stack.
		in.logLine(&ingest.Line{Num: max(at.Num, num-1), Stream: at.Stream, Stamp: end})
		if at.Framing != nil {
			break // a header that follows without framing belongs to another writer
		}
	}
	in.progress.Lines.Add(lines)
	return n, lines
}

// auditMark is in every audit event, among the first fields that the API server writes.
var auditMark = []byte(`"audit.k8s.io/`)

// maxMark is how far into a line auditMark is looked for: behind the wrapping of a log shipper.
const maxMark = 512

// IsAuditEvent reports whether a line looks like an event of an audit log.
func IsAuditEvent(text []byte) bool {
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text[:min(len(text), maxMark)], auditMark)
}

// logLine takes a line that is no part of a dump.
func (in *intake) logLine(l *ingest.Line) {
	if IsAuditEvent(l.Text) && in.auditLog().Line(in.path, l.Text, l.Num) {
		return
	}
	if l.Stamp == nil && in.texts.Line(in.path, l.Text, l.Num) {
		return
	}
	if in.notes {
		in.objectReader().Note(in.path, l.Text, l.Num)
	}
	if in.miner == nil {
		in.miner = logpattern.NewMiner()
	}
	in.miner.Line(l.Text, l.Num, l.Stream, l.Stamp)
}

func (in *intake) grow(stream int32) {
	for n := int32(len(in.parsers)); n <= stream; n++ {
		p := stackparse.NewParser(func(d *stackparse.Dump) { in.take(d, n) })
		p.Share(in.dumps.stacks)
		in.parsers = append(in.parsers, p)
	}
}

func (in *intake) take(d *stackparse.Dump, stream int32) {
	in.progress.Dumps.Add(1)
	in.inside += max(0, d.EndLine-d.Line+1)
	in.dumps.add(d, stream)
}

func (in *intake) blob(kind ingest.Kind, data []byte) error {
	switch kind {
	case ingest.KindProfile:
		in.profile(data)
	case ingest.KindCapture:
		in.capture = identity.ReadCapture(in.path, data)
	case ingest.KindTriageReport:
		in.report(data)
	default:
		in.skip(fmt.Sprintf("triage can't read a binary %s", kind), "")
	}
	return nil
}

func (in *intake) skip(reason, hint string) {
	in.skips = append(in.skips, schema.Skipped{Path: in.path, Reason: reason, Hint: hint})
}

// stream takes an audit log or a file of Kubernetes objects. What is broken in it costs what is behind it, no more.
func (in *intake) stream(kind ingest.Kind, part ingest.StreamPart, r io.Reader) error {
	var err error
	switch kind {
	case ingest.KindAuditLog:
		err = in.auditLog().Read(part.Path, r)
	case ingest.KindKubernetesObjects:
		err = in.objectReader().Read(part.Path, r)
	case ingest.KindKubectlText:
		err = in.kubectlText(part, r)
	case ingest.KindMetrics:
		var s *metrics.Scrape
		if s, err = metrics.Read(r, part.FirstLine, in.sample); !s.Empty() {
			in.metrics = append(in.metrics, s)
		}
	case ingest.KindCgroup:
		var groups []*cgroup.Group
		groups, err = cgroup.Read(part.Path, r, part.FirstLine)
		in.cgroups = append(in.cgroups, groups...)
	}
	if err != nil {
		in.skips = append(in.skips, Unfinished(part.Path, err))
	}
	return nil
}

// kubectlText takes what kubectl printed. Lines of no table and no description are those of a log, or of a dump.
func (in *intake) kubectlText(part ingest.StreamPart, r io.Reader) error {
	text := bufio.NewReaderSize(r, maxTextLine)
	num := part.FirstLine
	for {
		line, err := text.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for rest := long; rest; { // what is behind the bound is left out
			_, err = text.ReadSlice('\n')
			rest = errors.Is(err, bufio.ErrBufferFull)
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 || err == nil {
			if long || !in.texts.Line(in.path, line, num) {
				if err := in.lines([]ingest.Line{{Text: line, Num: num}}); err != nil {
					return err
				}
			}
		}
		num++
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read what kubectl printed: %w", err)
		}
	}
}

// maxTextLine bounds a line of what kubectl printed.
const maxTextLine = 64 << 10

func (in *intake) auditLog() *audit.Reader {
	if in.events == nil {
		o := audit.Options{}
		if !in.period.since.IsZero() {
			o.Since = in.period.since.UnixMicro()
		}
		if !in.period.until.IsZero() {
			o.Until = in.period.until.UnixMicro()
		}
		in.events = audit.NewReader(o)
	}
	return in.events
}

func (in *intake) objectReader() *kube.Reader {
	if in.kube == nil {
		in.kube = kube.NewReader(in.store)
	}
	return in.kube
}

func (in *intake) close() {
	for _, p := range in.parsers {
		p.Close()
	}
}

// log is what the lines were mined into, nil where there were none.
func (in *intake) log() *logpattern.Log {
	if in.miner == nil {
		return nil
	}
	return in.miner.Close()
}

func (in *intake) objects() *kube.Objects {
	if in.texts.Any() {
		in.objectReader().Texts(&in.texts)
	}
	if in.kube == nil {
		return nil
	}
	return in.kube.Close()
}

func (in *intake) audit() *audit.Log {
	if in.events == nil {
		return nil
	}
	return in.events.Close()
}

// brokenHint is what to do about a profile that could not be read.
func brokenHint(err error, path string) string {
	if errors.Is(err, profile.ErrConcatenated) {
		return "pass the original files instead; go tool pprof -proto A B > SUM adds profiles up"
	}
	return "is the file complete? go tool pprof -top " + rules.Quote(path)
}

// profile takes a binary profile, or a text form of one: goroutine profiles become dumps.
func (in *intake) profile(data []byte) {
	p, err := profile.Read(data)
	if err != nil {
		in.skip(err.Error(), brokenHint(err, in.path))
		return
	}
	if p.Kind == profile.KindGoroutine || p.Kind == profile.KindGoroutineLeak {
		d := goroutinesOf(p)
		in.dumps.stacks.Take(d)
		in.take(d, -1)
		return
	}
	if in.onProfile != nil {
		in.onProfile(p.Kind)
	}
	in.progress.Profiles.Add(1)
	in.profiles = append(in.profiles, p)
}

// goroutinesOf makes a dump of a goroutine profile. Generic functions are called as in other forms of a dump.
func goroutinesOf(p *profile.Profile) *stackparse.Dump {
	calls := make([]stackparse.Frame, len(p.Frames))
	for i := range calls {
		calls[i] = stackparse.Frame{Frame: p.At(int32(i)), Inlined: p.Frames[i].Inlined}
		calls[i].Func = symbol.HideTypeArgs(calls[i].Func)
	}
	stacks := func(yield func(stackparse.CountedStack) bool) {
		var frames []stackparse.Frame
		for i := range p.Stacks {
			st := &p.Stacks[i]
			frames = frames[:0]
			for _, f := range st.Frames {
				frames = append(frames, calls[f])
			}
			if !yield(stackparse.CountedStack{Frames: frames, Count: st.Values[p.Value], Labels: p.Labels[st.Label]}) {
				return
			}
		}
	}
	return stackparse.FromProfile(stacks, p.Kind == profile.KindGoroutineLeak, p.Time)
}
