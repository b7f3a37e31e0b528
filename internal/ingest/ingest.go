// Package ingest opens what the user names (files, folders, globs, stdin), decompresses it, tells from its
// content what it is, and pushes text on as unframed lines.
//
// It knows log framings, not dumps: what a line means is for its readers. It opens only paths that its caller
// names or that lie below a folder its caller names; nothing that stands inside an input is ever opened.
package ingest

import (
	"context"
	"errors"
	"io"
)

// A Kind says what an input is, told from its content and never from its name alone.
type Kind string

// The kinds, a part of the JSON contract.
const (
	KindPodLog            Kind = "pod-log" // CRI or docker framing, or a path that is a container's log
	KindGoroutineDump     Kind = "goroutine-dump"
	KindProfile           Kind = "profile" // gzipped or plain protobuf
	KindAuditLog          Kind = "audit-log"
	KindKubernetesObjects Kind = "kubernetes-objects"
	KindTextLog           Kind = "text-log"
	KindArchive           Kind = "archive"
	KindTriageReport      Kind = "triage-report"
	KindCapture           Kind = "triage-capture" // the manifest that triage fetch writes beside what it captured
	KindUnknown           Kind = "unknown"
)

// An Origin is where in a cluster a log was written, as far as its path or its framing tells.
type Origin struct {
	Namespace, Pod, PodUID, Container, Node string
	Restart                                 int // N of N.log, -1 where unknown
	// Previous says that the log is that of the container's instance before the one that ran when it was collected.
	Previous bool
	// Unit is the systemd unit whose journal it is, "kubelet" or "rke2-server" for instance.
	Unit string
}

// A Source is one stream to read: a file, an archive's entry, standard input, or the rotated files of one log in order of
// time.
type Source struct {
	Parts  []Part
	Origin Origin

	order     order
	allowance *allowance // what all files of a Walk may still become; nil for a source of its own
}

// Compare orders the sources of one Walk as they lie in the inputs, whatever the order in which they were visited.
func (s Source) Compare(o Source) int { return s.order.compare(o.order) }

// Forget lets go of what it takes to read s. Its parts keep what they are called: whoever keeps thousands of sources that were
// read, as a report does, keeps no open archive with them.
func (s Source) Forget() {
	for i := range s.Parts {
		s.Parts[i].open = func() (io.ReadCloser, error) { return nil, errForgotten }
	}
}

var errForgotten = errors.New("it was read before")

// A Part is one file of a Source.
type Part struct {
	// Path is as the user named the file or as it was found, "-" for standard input; that of an archive's entry stands behind
	// its archive's: bundle.zip!/nodes/n1.zip!/n1/logs/kubelet.log.
	Path string
	// Size is what the folder or archive says that the file has in bytes, -1 where nothing says it.
	Size int64
	open func() (io.ReadCloser, error)
	// named says that the user named it and not just its folder; regular that it can be opened twice.
	named, regular bool
}

// A Skip is something that was not read, with the reason and, where there is one, a hint.
type Skip struct {
	Path, Reason, Hint string
	// Named says that the path was named on the command line, so that failing to read it is an exit status.
	Named bool
}

// Options bound what Walk and Read do. The zero value means the defaults that each field names.
type Options struct {
	Stdin io.Reader
	// Only and Skip are globs over shown paths (see CheckGlob): of what is inside folders and archives, only what one of Only
	// matches is read, where there is one, and nothing that one of Skip matches.
	Only, Skip []string
	Limits
	// Progress, where set, is told of every file and of the bytes read, compressed as they are stored. It is called from several
	// goroutines.
	Progress Progress
	// Link, where set, is told of every link whose target is read where it lies: symbolic and hard links within an archive, and
	// within a folder. It is called from several goroutines.
	Link func(path, target string)
}

// Limits are the caps that keep a hostile or endless input from taking the machine. What exceeds one is a Skip. The zero value
// of each means the default that it names.
type Limits struct {
	MaxBlob     int64 // bytes of a binary input, decompressed: 512 MiB
	MaxLine     int   // bytes of a line's text that are kept: 4 MiB
	MaxDepth    int   // archives within archives: 8
	MaxEntries  int   // files of all folders and archives together: 200,000
	MaxExpanded int64 // bytes of all files together, decompressed: 64 GiB
	MaxFile     int64 // bytes of one file, decompressed: 16 GiB
	MaxMemory   int64 // bytes held of nested archives and rotated logs until they are read: 64 MiB
	MaxTemp     int64 // bytes in temporary files, for what MaxMemory has no room for: 4 GiB; below 0 for none
}

// A Progress is told how far a Walk is.
type Progress interface {
	Found(files int, bytes int64) // inputs on disk that will be read, and their size
	Read(bytes int)               // of those
}

// Walk finds the sources in args (files, folders, globs, archives, "-") and calls visit for each, from as many goroutines
// as there are processors; in no certain order (Source.Compare has one). Archives within archives are walked like folders, the
// rotated files of one log become one Source in order of time. A source must be read before its visit returns, once.
//
// What can't be opened is a Skip, never an error. A cancelled ctx ends it early.
func Walk(ctx context.Context, args []string, o Options, visit func(Source)) []Skip {
	return walk(ctx, args, o, visit)
}

// A Handler receives what Read finds. Its functions are called from one goroutine at a time.
type Handler struct {
	// Lines receives the lines of a text input in order, in batches. The batch and what it points to are valid until it returns.
	Lines func(batch []Line) error
	// Blob receives a binary input whole.
	Blob func(kind Kind, data []byte) error
	// Stream receives an audit log or a file of Kubernetes objects as it stands, decompressed and in UTF-8: its lines may be
	// of any length, and its values longer than lines. What it leaves unread is dropped. Where it is nil, these come as Lines.
	Stream func(kind Kind, part StreamPart, r io.Reader) error
}

// A StreamPart says where the bytes of a Stream come from.
type StreamPart struct {
	Path   string
	Origin Origin // of the source, as far as its path tells
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
	Path    string
	Kind    Kind
	Framing string // "cri", "docker-json", "plain", …: the one that most lines had
	Bytes   int64  // decompressed
	Lines   int64
	// FirstLine is the stream number (Line.Num) of the part's first line.
	FirstLine int64
	// CutLines counts lines longer than what is kept, NULBytes the NUL bytes that were dropped.
	CutLines, NULBytes int64
	// Reversed says that the lines stand newest first, as journalctl -r writes them.
	Reversed bool
	turned   bool // and were read from the end
	// HeadCut says that the first line is the rest of one: the log was cut to its last bytes.
	HeadCut bool
}

// A Stream is one writer within a source: stderr of a container, one pod of a stern log, one unit of a journal.
type Stream struct {
	Name   string // "stderr", "stdout", "web-1/app", "kubelet[4121]"; "" for the only writer of a plain file
	Origin Origin
}

// Locate maps a stream line number to the part and the line within it.
func (r *Result) Locate(num int64) (path string, line int64) {
	for i := len(r.Parts) - 1; i >= 0; i-- {
		if p := r.Parts[i]; num >= p.FirstLine {
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
	return read(ctx, s, h, o, false)
}

// Look reads no more of s than tells what it is: kinds, framings, whether a log is reversed or its head cut. Lines and bytes are
// those of what was looked at.
func Look(ctx context.Context, s Source, o Options) (*Result, error) {
	return read(ctx, s, Handler{}, o, true)
}
