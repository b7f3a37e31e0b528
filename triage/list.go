package triage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/ingest"
)

// ListSchema is the name of the listing's contract.
const ListSchema = "triage-list/v1"

// A Listing says what inputs hold and what each file is taken for, without reading more of it than that takes.
type Listing struct {
	Schema  string    `json:"schema"`
	Files   []Listed  `json:"files"`
	Links   []Link    `json:"links"`
	Skipped []Skipped `json:"skipped"`
}

// A Listed is one file.
type Listed struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Framing string `json:"framing"` // "" for what has no lines
	// Bytes is what the folder or archive says that the file has, -1 where nothing says it.
	Bytes     int64  `json:"bytes"`
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Node      string `json:"node"`
	Unit      string `json:"unit"`
	Restart   int    `json:"restart"` // -1 where unknown
	Previous  bool   `json:"previous"`
	Reversed  bool   `json:"reversed"`
	HeadCut   bool   `json:"head_cut"`
	// Follows is the file before it of the same log, where rotation cut that; "" for none.
	Follows string `json:"follows"`
}

// A Link is a link that leads to something that is read where it lies.
type Link struct {
	Path   string `json:"path"`
	Target string `json:"target"`
}

// Unreadable reports whether an input that the user named could not be read.
func (l *Listing) Unreadable() bool {
	return slices.ContainsFunc(l.Skipped, func(s Skipped) bool { return s.Named })
}

// List looks at the inputs as Run would read them. The error is for a cancelled context; what came before it is in the Listing,
// which is never nil.
func List(ctx context.Context, o Options) (*Listing, error) {
	type row struct {
		source ingest.Source
		files  []Listed
		skips  []ingest.Skip
	}
	l := &Listing{Schema: ListSchema, Files: []Listed{}, Links: []Link{}, Skipped: []Skipped{}}
	var mu sync.Mutex
	var rows []row
	in := o.ingest()
	in.Link = func(path, target string) {
		mu.Lock()
		defer mu.Unlock()
		l.Links = append(l.Links, Link{path, target})
	}
	skips := ingest.Walk(ctx, o.Inputs, in, func(s ingest.Source) {
		if ctx.Err() != nil {
			return
		}
		o.Progress.found(1)
		r := row{source: s}
		if rd := o.narrow(s); rd != nil {
			for _, k := range rd.skips {
				r.skips = append(r.skips, ingest.Skip{Path: k.Path, Reason: k.Reason})
			}
		} else {
			result, err := ingest.Look(ctx, s, in)
			r.files, r.skips = listed(s, result), result.Skips
			if err != nil && ctx.Err() == nil {
				r.skips = append(r.skips, ingest.Skip{Path: firstPath(s), Reason: err.Error(), Named: true})
			}
		}
		o.Progress.done()
		mu.Lock()
		defer mu.Unlock()
		rows = append(rows, r)
	})
	slices.SortFunc(rows, func(a, b row) int { return a.source.Compare(b.source) })
	slices.SortFunc(l.Links, func(a, b Link) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Target, b.Target))
	})
	for _, s := range skips {
		l.Skipped = append(l.Skipped, skipped(s))
	}
	for _, r := range rows {
		l.Files = append(l.Files, r.files...)
		for _, s := range r.skips {
			l.Skipped = append(l.Skipped, skipped(s))
		}
	}
	if ctx.Err() != nil {
		return l, fmt.Errorf("listing the inputs: %w", context.Cause(ctx))
	}
	return l, nil
}

// listed makes rows of what was learnt about a source's files.
func listed(s ingest.Source, r *ingest.Result) []Listed {
	at := s.Origin
	if len(r.Streams) == 1 {
		at = merge(s.Origin, r.Streams[0].Origin)
	}
	sizes := map[string]int64{}
	for _, p := range s.Parts {
		sizes[p.Path] = p.Size
	}
	var out []Listed
	before := ""
	for _, p := range r.Parts {
		f := Listed{
			Path: p.Path, Kind: string(p.Kind), Bytes: sizes[p.Path],
			Namespace: at.Namespace, Pod: at.Pod, Container: at.Container, Node: at.Node, Unit: at.Unit, Restart: at.Restart, Previous: at.Previous,
			Reversed: p.Reversed, HeadCut: p.HeadCut, Follows: before,
		}
		if p.Lines > 0 {
			f.Framing = p.Framing
		}
		before = p.Path
		out = append(out, f)
	}
	return out
}
