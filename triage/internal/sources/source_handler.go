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

// A sourceHandler hands what ingest reads of one source to its readers: lines to one dump parser a stream, and those
// outside dumps to the miner; audit events and Kubernetes objects to theirs. Readers are made when there is something
// to read.
type sourceHandler struct {
	parsers      []*stackparse.Parser // by stream
	dumps        *dumpKeeper
	dumpLines    int64 // lines inside dumps
	skips        []schema.Skipped
	progress     *schema.Progress
	path         string
	period       period
	onProfile    func(profile.Kind)
	source       ingest.Source
	reportBudget *reportBudget
	reports      []*heldReport
	profiles     []*profile.Profile
	capture      *identity.Capture
	wantsSample  func(*metrics.Sample) bool // asked for by a rule; nil for none

	miner        *logpattern.Miner
	store        *kube.Store
	kube         *kube.Reader
	events       *audit.Reader
	kubectlTexts kube.Texts

	metrics         []*metrics.Scrape
	cgroups         []*cgroup.Group
	sketch          *sketch // nil where no other source is read, which it could be a copy of
	describesBundle bool    // the lines describe the bundle that the source lies in
}

func newSourceHandler(s ingest.Source, o Options) *sourceHandler {
	path := FirstPath(s)
	handler := &sourceHandler{
		dumps: newDumpKeeper(maxDistinct), progress: o.progress(), path: path, period: period{o.Since, o.Until},
		onProfile: o.OnProfile, store: o.store, source: s, reportBudget: o.reports,
		describesBundle: kube.WantsLines(path),
	}
	if o.KeepSample != nil {
		target := identity.TargetFrom(path, s.Origin)
		handler.wantsSample = func(s *metrics.Sample) bool { return o.KeepSample(s, path, target) }
	}
	if alone := len(o.Inputs) == 1 && len(s.Parts) == 1 && path == o.Inputs[0]; !alone {
		handler.sketch = &sketch{seed: o.seed}
	}
	return handler
}

func (handler *sourceHandler) lines(batch []ingest.Line) error {
	handler.progress.Lines.Add(int64(len(batch)))
	sketch, bounded := handler.sketch, handler.period.bounded()
	for i := 0; i < len(batch); {
		stream := batch[i].Stream
		if int(stream) >= len(handler.parsers) {
			handler.addParsers(stream)
		}
		for p := handler.parsers[stream]; i < len(batch) && batch[i].Stream == stream; i++ {
			l := &batch[i]
			if bounded && !handler.period.holds(l.Stamp) {
				continue
			}
			if sketch != nil {
				sketch.line(l.Text, l.Stamp)
			}
			p.Line(l.Text, l.Num, l.Stamp)
			if !p.InStack() {
				handler.logLine(l)
			}
		}
	}
	return nil
}

// goroutines takes the goroutines that text begins with, one by one, as lines takes their lines. Of framed ones it
// takes the first.
func (handler *sourceHandler) goroutines(text []byte, at ingest.LineContext) (n int, lines int64) {
	if at.Stamp != nil && (handler.sketch != nil || handler.period.bounded()) {
		return 0, 0 // each line has a time that counts
	}
	if int(at.Stream) >= len(handler.parsers) {
		handler.addParsers(at.Stream)
	}
	p := handler.parsers[at.Stream]
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
		case handler.sketch == nil:
		case at.Escaped:
			handler.sketch.escaped(text[n : n+size])
		default:
			handler.sketch.text(text[n : n+size])
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
		handler.logLine(&ingest.Line{Num: max(at.Num, num-1), Stream: at.Stream, Stamp: end})
		if at.Framing != nil {
			break // a header that follows without framing belongs to another writer
		}
	}
	handler.progress.Lines.Add(lines)
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
func (handler *sourceHandler) logLine(l *ingest.Line) {
	if IsAuditEvent(l.Text) && handler.auditLog().Line(handler.path, l.Text, l.Num) {
		return
	}
	if l.Stamp == nil && handler.kubectlTexts.Line(handler.path, l.Text, l.Num) {
		return
	}
	if handler.describesBundle {
		handler.objectReader().Note(handler.path, l.Text, l.Num)
	}
	if handler.miner == nil {
		handler.miner = logpattern.NewMiner()
	}
	handler.miner.Line(l.Text, l.Num, l.Stream, l.Stamp)
}

// addParsers makes the parsers of the streams up to stream.
func (handler *sourceHandler) addParsers(stream int32) {
	for n := int32(len(handler.parsers)); n <= stream; n++ {
		p := stackparse.NewParser(func(d *stackparse.Dump) { handler.takeDump(d, n) })
		p.Share(handler.dumps.stacks)
		handler.parsers = append(handler.parsers, p)
	}
}

// takeDump takes a dump that a parser or a profile ended; stream is -1 for a binary profile.
func (handler *sourceHandler) takeDump(d *stackparse.Dump, stream int32) {
	handler.progress.Dumps.Add(1)
	handler.dumpLines += max(0, d.EndLine-d.Line+1)
	handler.dumps.add(d, stream)
}

func (handler *sourceHandler) blob(kind ingest.Kind, data []byte) error {
	switch kind {
	case ingest.KindProfile:
		handler.profile(data)
	case ingest.KindCapture:
		handler.capture = identity.ReadCapture(handler.path, data)
	case ingest.KindTriageReport:
		handler.report(data)
	default:
		handler.skip(fmt.Sprintf("triage can't read a binary %s", kind), "")
	}
	return nil
}

func (handler *sourceHandler) skip(reason, hint string) {
	handler.skips = append(handler.skips, schema.Skipped{Path: handler.path, Reason: reason, Hint: hint})
}

// stream takes an audit log or a file of Kubernetes objects. What is broken in it costs what is behind it, no more.
func (handler *sourceHandler) stream(kind ingest.Kind, part ingest.StreamPart, r io.Reader) error {
	var err error
	switch kind {
	case ingest.KindAuditLog:
		err = handler.auditLog().Read(part.Path, r)
	case ingest.KindKubernetesObjects:
		err = handler.objectReader().Read(part.Path, r)
	case ingest.KindKubectlText:
		err = handler.kubectlText(part, r)
	case ingest.KindMetrics:
		var s *metrics.Scrape
		if s, err = metrics.Read(r, part.FirstLine, handler.wantsSample); !s.Empty() {
			handler.metrics = append(handler.metrics, s)
		}
	case ingest.KindCgroup:
		var groups []*cgroup.Group
		groups, err = cgroup.Read(part.Path, r, part.FirstLine)
		handler.cgroups = append(handler.cgroups, groups...)
	}
	if err != nil {
		handler.skips = append(handler.skips, Unfinished(part.Path, err))
	}
	return nil
}

// kubectlText takes what kubectl printed. Lines of no table and no description are those of a log, or of a dump.
func (handler *sourceHandler) kubectlText(part ingest.StreamPart, r io.Reader) error {
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
			if long || !handler.kubectlTexts.Line(handler.path, line, num) {
				if err := handler.lines([]ingest.Line{{Text: line, Num: num}}); err != nil {
					return err
				}
			}
		}
		num++
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading kubectl's output: %w", err)
		}
	}
}

// maxTextLine bounds a line of what kubectl printed.
const maxTextLine = 64 << 10

func (handler *sourceHandler) auditLog() *audit.Reader {
	if handler.events == nil {
		o := audit.Options{}
		if !handler.period.since.IsZero() {
			o.Since = handler.period.since.UnixMicro()
		}
		if !handler.period.until.IsZero() {
			o.Until = handler.period.until.UnixMicro()
		}
		handler.events = audit.NewReader(o)
	}
	return handler.events
}

func (handler *sourceHandler) objectReader() *kube.Reader {
	if handler.kube == nil {
		handler.kube = kube.NewReader(handler.store)
	}
	return handler.kube
}

func (handler *sourceHandler) closeParsers() {
	for _, p := range handler.parsers {
		p.Close()
	}
}

// closeMiner returns what the lines were mined into, nil where there were none.
func (handler *sourceHandler) closeMiner() *logpattern.Log {
	if handler.miner == nil {
		return nil
	}
	return handler.miner.Close()
}

// closeObjects returns the Kubernetes objects that were read, nil where there were none.
func (handler *sourceHandler) closeObjects() *kube.Objects {
	if handler.kubectlTexts.Any() {
		handler.objectReader().Texts(&handler.kubectlTexts)
	}
	if handler.kube == nil {
		return nil
	}
	return handler.kube.Close()
}

// closeAudit returns the audit events that were read, nil where there were none.
func (handler *sourceHandler) closeAudit() *audit.Log {
	if handler.events == nil {
		return nil
	}
	return handler.events.Close()
}

// brokenHint is what to do about a profile that could not be read.
func brokenHint(err error, path string) string {
	if errors.Is(err, profile.ErrConcatenated) {
		return "pass the original files instead; go tool pprof -proto A B > SUM adds profiles up"
	}
	return "is the file complete? go tool pprof -top " + rules.Quote(path)
}

// profile takes a binary profile, or a text form of one: goroutine profiles become dumps.
func (handler *sourceHandler) profile(data []byte) {
	p, err := profile.Read(data)
	if err != nil {
		handler.skip(err.Error(), brokenHint(err, handler.path))
		return
	}
	if p.Kind == profile.KindGoroutine || p.Kind == profile.KindGoroutineLeak {
		d := goroutinesOf(p)
		handler.dumps.stacks.Take(d)
		handler.takeDump(d, -1)
		return
	}
	if handler.onProfile != nil {
		handler.onProfile(p.Kind)
	}
	handler.progress.Profiles.Add(1)
	handler.profiles = append(handler.profiles, p)
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
