// Package ingest opens what the user names (files, folders, globs, stdin), decompresses it, tells from its
// content what it is, and pushes text on as unframed lines.
//
// It knows log framings, not dumps: what a line means is for its readers. It opens only paths that its caller
// names or that lie below a folder its caller names; nothing that stands inside an input is ever opened.
package ingest

import (
	"context"
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
	KindUnknown           Kind = "unknown"
)

// An Origin is where in a cluster a log was written, as far as its path or its framing tells.
type Origin struct {
	Namespace, Pod, PodUID, Container, Node string
	Restart                                 int // N of N.log, -1 where unknown
}

// A Source is one stream to read: a file, standard input, or the rotated files of one container in order of time.
type Source struct {
	Parts  []Part
	Origin Origin
}

// A Part is one file of a Source.
type Part struct {
	Path string // as the user named it or as it was found; "-" for standard input
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

// Options bound what Find and Read do. The zero value means the defaults that each field names.
type Options struct {
	Stdin   io.Reader
	MaxBlob int64 // bytes of a binary input, decompressed: 512 MiB
}

// Find turns arguments (files, folders, globs, "-") into sources: folders are walked, the rotated files of one
// log become one Source in order of time whatever the order of args. What can't be opened is a Skip, never an error.
func Find(ctx context.Context, args []string, o Options) ([]Source, []Skip) {
	return find(ctx, args, o)
}

// A Handler receives what Read finds. Both functions are called from one goroutine at a time.
type Handler struct {
	// Lines receives the lines of a text input in order, in batches. The batch and what it points to are valid until it returns.
	Lines func(batch []Line) error
	// Blob receives a binary input whole.
	Blob func(kind Kind, data []byte) error
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
			return p.Path, num - p.FirstLine + 1
		}
	}
	return "", num
}

// Read reads s to its end and pushes what it holds into h. An error of h ends it and comes back; a source that
// breaks half way is no error but a Skip in Result.
func Read(ctx context.Context, s Source, h Handler, o Options) (*Result, error) {
	return read(ctx, s, h, o)
}
