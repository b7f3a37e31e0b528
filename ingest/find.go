package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	stdinPath = "-"
	// maxFiles and maxDepth bound a walk over a hostile or endless tree; a large support bundle has some 20,000 files.
	maxFiles = 200_000
	maxDepth = 64
)

// A finder collects files for Find.
type finder struct {
	ctx   context.Context
	o     Options
	seen  map[string]bool // absolute paths: a file is read once however often it is named
	files []Part
	skips []Skip
}

func find(ctx context.Context, args []string, o Options) ([]Source, []Skip) {
	f := &finder{ctx: ctx, o: o, seen: make(map[string]bool)}
	for _, arg := range args {
		if ctx.Err() != nil {
			break
		}
		f.arg(arg)
	}
	return group(f.files), f.skips
}

func (f *finder) skip(path, reason, hint string) {
	f.skips = append(f.skips, Skip{Path: path, Reason: reason, Hint: hint, Named: true})
}

// arg takes one argument of the command line.
func (f *finder) arg(arg string) {
	if arg == stdinPath {
		f.stdin()
		return
	}
	if arg == "" {
		f.skip(arg, "the name is empty", "name a file, a folder, or - for standard input")
		return
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil:
		f.named(arg, info)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		f.glob(arg)
	default:
		f.skip(arg, reasonOf(err), hintOf(arg, err))
	}
}

func (f *finder) stdin() {
	if f.o.Stdin == nil {
		f.skip(stdinPath, "there is no standard input", "name a file or a folder")
		return
	}
	if f.seen[stdinPath] {
		return
	}
	f.seen[stdinPath] = true
	in := f.o.Stdin
	f.files = append(f.files, Part{Path: stdinPath, named: true, open: func() (io.ReadCloser, error) {
		widenPipe(in)
		return io.NopCloser(in), nil
	}})
}

func (f *finder) glob(pattern string) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		f.skip(pattern, "the pattern is malformed: "+err.Error(), "name the files or their folder")
		return
	}
	if len(paths) == 0 {
		f.skip(pattern, "no file matches the pattern", "check the path, or name the folder that holds the files")
		return
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			f.skip(p, reasonOf(err), hintOf(p, err))
			continue
		}
		f.named(p, info)
	}
}

// named takes a path that the user named and that exists.
func (f *finder) named(path string, info fs.FileInfo) {
	if info.IsDir() {
		f.folder(path)
		return
	}
	// Opening a pipe takes a reader's turn, so only files are tried.
	if info.Mode().IsRegular() {
		file, err := os.Open(path)
		if err != nil {
			f.skip(path, reasonOf(err), hintOf(path, err))
			return
		}
		_ = file.Close()
		if f.zip(path, true) {
			return
		}
	}
	f.add(path, true, info.Mode().IsRegular())
}

// first reports whether path wasn't named or found before.
func (f *finder) first(path string) bool {
	key := path
	if abs, err := filepath.Abs(path); err == nil {
		key = abs
	}
	if f.seen[key] {
		return false
	}
	f.seen[key] = true
	return true
}

func (f *finder) add(path string, named, regular bool) {
	if !f.first(path) {
		return
	}
	f.files = append(f.files, Part{Path: path, named: named, regular: regular, open: func() (io.ReadCloser, error) {
		return os.Open(path)
	}})
}

func (f *finder) folder(path string) {
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		f.skip(path, reasonOf(err), hintOf(path, err))
		return
	}
	if root, err = filepath.Abs(root); err != nil {
		f.skip(path, reasonOf(err), "")
		return
	}
	files, skips := len(f.files), len(f.skips)
	dups := f.walk(path, root, 0)
	for i := skips; i < len(f.skips); i++ {
		f.skips[i].Named = f.skips[i].Path == path
	}
	if len(f.files) == files && dups == 0 && !slices.ContainsFunc(f.skips[skips:], func(s Skip) bool { return s.Named }) {
		f.skip(path, "the folder holds no readable files", "name the folder that holds the logs")
	}
}

// walk adds the regular files below dir in sorted order and returns how many were known already. root is the
// resolved folder that the user named: a link that leads out of it isn't followed, and what a link within it leads
// to is walked anyway.
func (f *finder) walk(dir, root string, depth int) (known int) {
	if f.ctx.Err() != nil {
		return 0
	}
	if depth > maxDepth {
		f.skip(dir, fmt.Sprintf("more than %d folders deep", maxDepth), "name the folder itself")
		return 0
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.skip(dir, reasonOf(err), hintOf(dir, err))
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			known += f.walk(path, root, depth+1)
		case e.Type()&fs.ModeSymlink != 0:
			f.link(path, root)
		case e.Type().IsRegular():
			if len(f.files) >= maxFiles {
				f.skip(dir, fmt.Sprintf("more than %d files", maxFiles), "name a folder further down")
				return known
			}
			files, skips := len(f.files), len(f.skips)
			if !mayBeZip(path) || !f.zip(path, false) {
				f.add(path, false, true)
			}
			if len(f.files) == files && len(f.skips) == skips {
				known++
			}
		}
	}
	return known
}

// link reports a symbolic link that leads out of root or nowhere.
func (f *finder) link(path, root string) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		f.skip(path, "symbolic link that leads nowhere", "copy the file that it stands for")
		return
	}
	if target, err = filepath.Abs(target); err == nil {
		rel, err := filepath.Rel(root, target)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return
		}
	}
	f.skip(path, "symbolic link that leads out of the folder: not followed", "name the link itself to read it")
}

// reasonOf says why a path can't be opened, without the path, which stands beside it.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

func hintOf(path string, err error) string {
	switch {
	case strings.Contains(path, "://"):
		return "triage fetch URL captures what a pprof port serves; anything else goes into a file first"
	case errors.Is(err, fs.ErrPermission):
		return "read it as a user that may, or copy it first"
	case errors.Is(err, fs.ErrNotExist):
		return "check the path"
	}
	return ""
}
