package mcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gotriage/triage/triage"
)

// files reads inputs below one folder, and keeps the report of the call before: an agent asks about one several times.
type files struct {
	o    Options
	dir  string // resolved
	root *os.Root

	busy chan struct{} // one analysis at a time: it takes all processors
	last kept          // the report of the call before
}

// A kept report is that of inputs in one state.
type kept struct {
	key    [sha256.Size]byte
	report *triage.Report
}

// maxPaths bounds the paths of one call. Chosen.
const maxPaths = 100

func newFiles(o Options) (*files, error) {
	dir, err := filepath.EvalSymlinks(o.Dir)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	return &files{o: o, dir: dir, root: root, busy: make(chan struct{}, 1)}, nil
}

// lock waits for the analysis before to end. The error is that of ctx, which ended first.
func (f *files) lock(ctx context.Context) error {
	select {
	case f.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the previous call: %w", context.Cause(ctx))
	}
}

func (f *files) unlock() { <-f.busy }

func (f *files) close() { _ = f.root.Close() }

// ErrOutside is the error of a path that is not below the folder.
var ErrOutside = errors.New("it is not under the server's folder")

var errKind = errors.New("it is neither a regular file nor a folder")

// resolve returns the inputs for the engine. A path is relative to the folder; no link may lead out of it, and a
// folder's links that do are not followed by the engine.
func (f *files) resolve(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, errors.New("paths is empty: pass files or folders under the server's folder")
	}
	if len(paths) > maxPaths {
		return nil, fmt.Errorf("more than %d paths: pass their folder", maxPaths)
	}
	var out []string
	for _, p := range paths {
		rel := filepath.Clean(filepath.FromSlash(p))
		if filepath.IsAbs(rel) {
			if below, err := filepath.Rel(f.dir, rel); err == nil {
				rel = below
			}
		}
		if !filepath.IsLocal(rel) {
			return nil, fmt.Errorf("%q: %w", p, ErrOutside)
		}
		info, err := f.root.Stat(rel)
		if err != nil { // follows links, and refuses those that lead out
			if errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("%q: no such file or folder", p)
			}
			return nil, fmt.Errorf("%q: %w", p, ErrOutside)
		}
		if !info.Mode().IsRegular() && !info.IsDir() { // a pipe may never end
			return nil, fmt.Errorf("%q: %w", p, errKind)
		}
		real, err := filepath.EvalSymlinks(filepath.Join(f.dir, rel))
		if err != nil {
			return nil, fmt.Errorf("%q: no such file or folder", p)
		}
		if below, err := filepath.Rel(f.dir, real); err != nil || !filepath.IsLocal(below) {
			return nil, fmt.Errorf("%q: %w", p, ErrOutside)
		}
		out = append(out, real)
	}
	return out, nil
}

// A selection is what a call reads.
type selection struct {
	paths     []string
	namespace string
	since     time.Time
	ago       time.Duration
}

// report analyses the inputs, or returns the report of before where none of them has changed since.
func (f *files) report(ctx context.Context, s selection) (*triage.Report, error) {
	inputs, err := f.resolve(s.paths)
	if err != nil {
		return nil, err
	}
	if err := f.lock(ctx); err != nil {
		return nil, err
	}
	defer f.unlock()
	key := state(inputs, s)
	if f.last.key == key {
		return f.last.report, nil
	}
	r, err := triage.Run(ctx, triage.Options{
		Inputs: inputs, Version: f.o.Version, Book: f.o.Book, Limits: f.o.Limits, Namespace: s.namespace,
		Since: s.since, SinceAgo: s.ago,
	})
	if err != nil {
		return nil, err
	}
	f.last = kept{key, r}
	return r, nil
}

// state is a hash of what is asked for and of the names, sizes and times of all files: what was written since has
// another one.
func state(inputs []string, s selection) (key [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %v %v\n", inputs, s.namespace, s.since, s.ago)
	for _, in := range inputs {
		_ = filepath.WalkDir(in, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // the engine reports it
			}
			if info, err := d.Info(); err == nil {
				fmt.Fprintf(h, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	h.Sum(key[:0])
	return key
}

// shown is a path of a report as answers print it: relative to the folder.
func (f *files) shown(path string) string {
	return filepath.ToSlash(strings.TrimPrefix(path, f.dir+string(filepath.Separator)))
}
