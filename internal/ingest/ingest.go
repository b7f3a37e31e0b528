// Package ingest opens what the user names (files, folders, globs, stdin), decompresses it, identifies it by its
// content, and hands text on as unframed lines.
//
// Walk takes names and finds Sources. Read reads a Source: its Handler gets the lines of logs with their number,
// writer and time, goroutines whole where their lines lie behind one another, and the bytes of profiles, objects and
// audit logs. Begin reading at Read: sourceReader.readPart (read.go) asks sniff what a file is and reads it as that.
//
// It knows log framings, not dumps: what a line means is for its readers. It opens only paths that its caller names or
// that lie below a folder its caller names; nothing that an input names is ever opened.
package ingest

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/ingest/framing"
	"github.com/gotriage/triage/internal/ingest/open"
	"github.com/gotriage/triage/internal/ingest/origin"
)

// A Kind is what an input is, by its content and never by its name alone.
type Kind string

// The kinds, a part of the JSON contract.
const (
	KindPodLog            Kind = "pod-log" // CRI or docker framing, or a path that is a container's log
	KindGoroutineDump     Kind = "goroutine-dump"
	KindProfile           Kind = "profile" // gzipped or plain protobuf
	KindAuditLog          Kind = "audit-log"
	KindKubernetesObjects Kind = "kubernetes-objects"
	KindKubectlText       Kind = "kubectl-text" // what kubectl prints for people: describe, get, top, events
	KindMetrics           Kind = "metrics"      // Prometheus or OpenMetrics text, as /metrics gives it
	KindCgroup            Kind = "cgroup"       // a file of a control group, or of pressure stall information
	KindTextLog           Kind = "text-log"
	KindTestOutput        Kind = "test-output" // what go test prints, most of whose lines lie outside dumps
	KindArchive           Kind = "archive"
	KindTriageReport      Kind = "triage-report"
	KindCapture           Kind = "triage-capture" // the manifest that triage fetch writes beside what it captured
	KindUnknown           Kind = "unknown"
)

// streamed reports whether a kind is read as a stream of bytes, not as lines of a log.
func (k Kind) streamed() bool {
	switch k {
	case KindAuditLog, KindKubernetesObjects, KindKubectlText, KindMetrics, KindCgroup:
		return true
	}
	return false
}

// What the rooms below declare, and callers of this package use.
type (
	Source      = open.Source
	Origin      = origin.Origin
	Part        = open.Part
	Skip        = open.Skip
	Options     = open.Options
	Limits      = open.Limits
	DiskFile    = open.DiskFile
	Progress    = open.Progress
	Line        = framing.Line
	Stream      = framing.Stream
	LineContext = framing.LineContext
)

// Hold reads r to its end, for those who read it several times: each call of again returns a reader of all of it.
func Hold(r io.Reader, l Limits) (again func() io.Reader, drop func(), err error) {
	kept, err := open.NewSpillStore(l.WithDefaults()).Keep(r, -1)
	if kept == nil {
		return nil, nil, fmt.Errorf("holding standard input: %w", err)
	}
	return kept.Reader, kept.Drop, nil
}

// InsideArchive separates an archive's path from that of an entry in it.
const InsideArchive = open.InsideArchive

// CheckGlob reports whether a pattern of Options.Only or Options.Skip can be matched.
func CheckGlob(pattern string) error { return open.CheckGlob(pattern) }

// Walk finds the sources in args (files, folders, globs, archives, "-") and calls visit for each, from as many
// goroutines as there are processors; in no certain order (Source.Compare has one). Archives within archives are walked
// like folders, the rotated files of one log become one Source in order of time. A source must be read before its visit
// returns, once.
//
// What can't be opened is a Skip, never an error. A cancelled ctx ends it early.
func Walk(ctx context.Context, args []string, o Options, visit func(Source)) []Skip {
	return open.Walk(ctx, args, o, func(s Source) {
		if len(s.Parts) > 1 {
			orderByStamps(s.Parts)
		}
		s.Origin = origin.Of(s.Parts[len(s.Parts)-1].Path)
		visit(s)
	})
}

// orderByStamps corrects the order by the parts' first timestamps where every part has one: names lie after a copy
// or a clock set back, content doesn't.
func orderByStamps(parts []Part) {
	stamps := make(map[string]time.Time, len(parts))
	for _, p := range parts {
		at, ok := firstStamp(p)
		if !ok {
			return
		}
		stamps[p.Path] = at
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return stamps[a.Path].Compare(stamps[b.Path]) })
}

// firstStamp reads the first framing timestamp among a part's first lines.
func firstStamp(p Part) (time.Time, bool) {
	rc, err := p.Open()
	if err != nil {
		return time.Time{}, false
	}
	f := open.NewFile(rc)
	defer func() { _ = f.Close() }()
	const enough = 8 << 10
	head := make([]byte, enough)
	n, _ := io.ReadFull(textReader(f.Reader()), head)
	return framing.FirstStamp(head[:n])
}

// A Handler receives what Read finds. Its functions are called from one goroutine at a time.
type Handler struct {
	// Lines receives the lines of a text input in order, in batches. The batch and what it points to are valid until it
	// returns.
	Lines func(batch []Line) error
	// Goroutines is offered text that begins like a goroutine's header, before its lines are handed on: see
	// framing.TakeGoroutine. Where it is nil, all lines come as Lines.
	Goroutines framing.TakeGoroutine
	// Blob receives a binary input whole.
	Blob func(kind Kind, data []byte) error
	// Stream receives what is no log as it is, decompressed and in UTF-8: audit logs, Kubernetes objects, what kubectl
	// printed, metrics. Its lines may be of any length, and its values longer than lines. What it leaves unread is
	// dropped. Where it is nil, these come as Lines.
	Stream func(kind Kind, part StreamPart, r io.Reader) error
}

// A StreamPart is where the bytes of a Stream come from.
type StreamPart struct {
	Path   string
	Origin Origin // of the source, as far as its path shows
	// FirstLine is what Result.Locate knows the part's first line by: 1 but in a rotated log.
	FirstLine int64
}

// A Result is what Read learnt about a source.
type Result struct {
	Parts   []PartResult
	Streams []Stream
	// Skips are problems met on the way: a truncated gzip (what came before it was read), a line that was cut.
	Skips []Skip
}

// A PartResult describes one file of a source after it was read.
type PartResult struct {
	Path  string
	Kind  Kind
	Bytes int64 // decompressed
	framing.PartStats
	// Reversed reports that the newest line comes first, as journalctl -r writes them.
	Reversed bool
	turned   bool // and were read from the end
	// recordLines are where the lines of an export lie in its file, nil for all other inputs.
	recordLines recordLines
	// HeadCut reports that the first line is the rest of one: the log was cut to its last bytes.
	HeadCut bool
}

// Locate maps a stream line number to the part and the line within it.
func (r *Result) Locate(num int64) (path string, line int64) {
	for i := len(r.Parts) - 1; i >= 0; i-- {
		if p := r.Parts[i]; num >= p.FirstLine {
			if p.recordLines != nil {
				return p.Path, p.recordLines.line(num)
			}
			if p.turned {
				return p.Path, p.Lines - (num - p.FirstLine)
			}
			return p.Path, num - p.FirstLine + 1
		}
	}
	return "", num
}

// Read reads s to its end and pushes what it holds into h. An error of h ends it and comes back; a source that
// breaks half way is no error but a Skip in Result.
func Read(ctx context.Context, s Source, h Handler, o Options) (*Result, error) {
	return newSourceReader(ctx, s, h, o).read(s.Parts)
}

// Look reads only as much of s as identifies it: kinds, framings, whether a log is reversed or its head cut. Lines and
// bytes are those of what was looked at.
func Look(ctx context.Context, s Source, o Options) (*Result, error) {
	r := newSourceReader(ctx, s, Handler{}, o)
	r.headOnly = true
	return r.read(s.Parts)
}
