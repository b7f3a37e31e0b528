package open

import (
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
	// maxFolders bounds the depth of a walk over a hostile or endless tree.
	maxFolders = 64
)

// A finder collects the files that arguments name, archives unopened.
type finder struct {
	w     *walker
	arg   Order
	base  int // of the files of the argument
	files []foundFile
	found map[string]int // by absolute path, the place in files: a file is read once however often it is named
	skips []Skip
}

// find turns arguments into files. They are taken in order of their names, so that their order on a command line
// changes nothing: shells expand globs in that order too.
func (w *walker) find(args []string) []foundFile {
	f := &finder{w: w, found: map[string]int{}}
	for i, arg := range slices.Sorted(slices.Values(args)) {
		if w.ctx.Err() != nil {
			break
		}
		f.arg = Order{int32(i)}
		f.skips = f.skips[:0]
		f.argument(arg)
		for j, s := range f.skips {
			w.skip(f.arg.child(j), s)
		}
	}
	return f.files
}

func (f *finder) skip(path, reason, hint string) {
	f.skips = append(f.skips, Skip{Path: path, Reason: reason, Hint: hint, Named: true})
}

// argument takes one argument of the command line.
func (f *finder) argument(arg string) {
	if arg == stdinPath {
		f.stdin()
		return
	}
	if arg == "" {
		f.skip(arg, "the name is empty", "pass a file, a folder, or - for standard input")
		return
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil:
		f.named(arg, info)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		f.glob(arg)
	default:
		f.skip(arg, ReasonOf(err), HintOf(arg, err))
	}
}

func (f *finder) stdin() {
	if f.w.o.Stdin == nil {
		f.skip(stdinPath, "there is no standard input", "pass a file or a folder")
		return
	}
	if !f.first(stdinPath, true) {
		return
	}
	in := f.w.o.Stdin
	f.append(Part{Path: stdinPath, Size: -1, Named: true, Open: func() (io.ReadCloser, error) {
		widenPipe(in)
		return io.NopCloser(in), nil
	}})
}

func (f *finder) append(p Part) {
	f.files = append(f.files, foundFile{Part: p, at: f.arg.child(len(f.files)), base: f.base})
}

func (f *finder) glob(pattern string) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		f.skip(pattern, "the pattern is malformed: "+err.Error(), "pass the files or their folder")
		return
	}
	if len(paths) == 0 {
		f.skip(pattern, "no file matches the pattern", "check the path, or pass the folder that contains the files")
		return
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			f.skip(p, ReasonOf(err), HintOf(p, err))
			continue
		}
		f.named(p, info)
	}
}

// named takes a path that the user named and that exists.
func (f *finder) named(path string, info fs.FileInfo) {
	shown := path
	if info.IsDir() {
		shown = filepath.Clean(path) // as the paths of what is in it begin
	}
	f.base = 0
	if strings.HasSuffix(shown, filepath.Base(shown)) {
		f.base = len(shown) - len(filepath.Base(shown))
	}
	if info.IsDir() {
		f.folder(path)
		return
	}
	// Opening a pipe takes a reader's turn, so only files are tried.
	if info.Mode().IsRegular() {
		file, err := Disk(path, f.w.o.OpenFile)
		if err != nil {
			f.skip(path, ReasonOf(err), HintOf(path, err))
			return
		}
		_ = file.Close()
	}
	f.add(path, true, info)
}

// first reports whether path wasn't named or found before. The caller appends it then. One that is named after its
// folder was walked counts as named.
func (f *finder) first(path string, named bool) bool {
	key := path
	if abs, err := filepath.Abs(path); err == nil && path != stdinPath {
		key = abs
	}
	if i, ok := f.found[key]; ok {
		f.files[i].Named = f.files[i].Named || named
		return false
	}
	f.found[key] = len(f.files)
	return true
}

func (f *finder) add(path string, named bool, info fs.FileInfo) {
	if !f.first(path, named) {
		return
	}
	p := Part{Path: path, Size: -1, Named: named, Open: func() (io.ReadCloser, error) {
		return f.w.o.disk(path)
	}}
	if info == nil || !info.Mode().IsRegular() {
		f.append(p)
		return
	}
	p.Size, p.Regular, p.Modified = info.Size(), true, info.ModTime()
	if f.w.o.Progress != nil {
		f.w.o.Progress.Found(1, info.Size())
	}
	f.append(p)
	f.files[len(f.files)-1].random = func() *Archive { return f.w.o.diskArchive(path, info.Size()) }
}

func (f *finder) folder(path string) {
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		f.skip(path, ReasonOf(err), HintOf(path, err))
		return
	}
	if root, err = filepath.Abs(root); err != nil {
		f.skip(path, ReasonOf(err), "")
		return
	}
	files, skips := len(f.files), len(f.skips)
	t := &tree{f: f, root: root}
	t.walk(path, 0)
	f.w.countExcluded(f.arg, path, t.left)
	for i := skips; i < len(f.skips); i++ {
		f.skips[i].Named = f.skips[i].Path == path
	}
	failed := slices.ContainsFunc(f.skips[skips:], func(s Skip) bool { return s.Named })
	if len(f.files) == files && t.known+t.left == 0 && !failed {
		f.skip(path, "the folder contains no readable files", "pass the folder that contains the logs")
	}
}

// A tree is one folder that is being walked.
type tree struct {
	f *finder
	// root is the resolved folder that the user named: a link that leads out of it isn't followed, and what a link
	// within it leads to is walked anyway.
	root        string
	known, left int // files that were found before; files that Only and Skip left out
}

// walk adds the regular files below dir in sorted order.
func (t *tree) walk(dir string, depth int) {
	f := t.f
	if f.w.ctx.Err() != nil {
		return
	}
	if depth > maxFolders {
		f.skip(dir, fmt.Sprintf("more than %d folders deep", maxFolders), "pass that folder itself")
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.skip(dir, ReasonOf(err), HintOf(dir, err))
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			t.walk(path, depth+1)
		case e.Type()&fs.ModeSymlink != 0:
			f.link(path, t.root)
		case e.Type().IsRegular():
			if !f.w.filter.mayHold(path[f.base:]) {
				t.left++
				continue
			}
			info, err := e.Info()
			if err != nil {
				continue // it has gone since
			}
			if !f.w.admit(f.arg, dir) {
				return
			}
			before := len(f.files)
			f.add(path, false, info)
			if len(f.files) == before {
				t.known++
			}
		}
	}
}

// link reports a symbolic link that leads out of root or nowhere.
func (f *finder) link(path, root string) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		f.skip(path, "symbolic link that leads nowhere", "copy the file that it links to")
		return
	}
	if target, err = filepath.Abs(target); err == nil {
		rel, err := filepath.Rel(root, target)
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			if f.w.o.Link != nil {
				f.w.o.Link(path, target)
			}
			return
		}
	}
	f.skip(path, "symbolic link that leads out of the folder: not followed", "pass the link itself to read it")
}
