// Package source shows the code that a finding is about: it finds the file that a dump or a profile names in folders of
// the user (a checkout, a module cache, a GOROOT), takes the lines around the place from it, and compares them with the
// build as far as that is possible.
//
// Every path comes from an input and is hostile. It only chooses among files below the folders, which are opened
// through os.Root: neither ".." nor a link leads out of them. What is read and shown is bounded.
package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gotriage/triage/rules"
)

// Bounds. Of the 356,428 Go files of a module cache of 16 GB, 73 are larger than MaxFile and 474 than maxParsed.
const (
	// MaxFile is how many bytes a file may have to be shown.
	MaxFile = 4 << 20
	// MaxFiles is how many files are looked for in one report.
	MaxFiles = 256
	// MaxPlaces is how many places are looked for in one report.
	MaxPlaces = 4096
	// maxParsed is how many bytes of Go are parsed to compare them with the build. Of nine shapes of hostile files the
	// worst took a hundred times its size.
	maxParsed = 1 << 20
	// maxMeta is how many bytes of a go.mod, a modules.txt or a VERSION are read.
	maxMeta = 1 << 20
	// maxEntries is how many entries of a folder are looked at, maxModules how many of them may be checkouts.
	maxEntries, maxModules = 4096, 64
	// around is how many lines are shown before and after a line.
	around = 2
	// maxLine is how many bytes of a line are shown.
	maxLine = 300
)

// A Tree is the folders in which files are looked for.
type Tree struct {
	roots []*root
	cache cache
}

// A root is one folder.
type root struct {
	dir     string // as the user named it
	files   *os.Root
	modules []module
	goroot  string // where the packages of a Go release are in it: "src/", "" for in dir itself, none where it has none
}

// none is root.goroot of a folder that is no GOROOT.
const none = "-"

// Open opens the folders. The error names the one that can't be opened.
func Open(dirs []string) (*Tree, error) {
	t := &Tree{}
	for _, dir := range dirs {
		files, err := openRoot(dir)
		if err != nil {
			t.Close()
			var pathErr *fs.PathError
			if errors.As(err, &pathErr) {
				err = pathErr.Err
			}
			return nil, fmt.Errorf("opening the folder of sources %s: %w", dir, err)
		}
		r := &root{dir: dir, files: files}
		r.goroot = r.findGoroot()
		r.modules = r.findModules()
		t.roots = append(t.roots, r)
	}
	return t, nil
}

// openRoot opens a folder. What is no folder is not opened: opening a FIFO waits for a writer.
func openRoot(dir string) (*os.Root, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// Close closes the folders.
func (t *Tree) Close() error {
	var errs []error
	for _, r := range t.roots {
		errs = append(errs, r.files.Close())
	}
	return errors.Join(errs...)
}

// An Ask is a place whose code is to be shown, with the words of the call, if they are known.
type Ask struct {
	Place rules.Place
	// Callee is the function that the place calls, as the next frame of the stack has it, "" where that isn't known.
	Callee string
	// Words is what a traceback of Go 1.17 or later prints between the parentheses of the call: "0x1, {0x2, 0x3}, ...".
	Words     string
	Goroutine uint64 // whose words they are
}

// An Answer is the code of an Ask, or the reason why there is none.
type Answer struct {
	Code   *rules.Code
	Reason string
}

// A file is a file that places lie in: where it was found, or why not.
type file struct {
	root   *root
	at     candidate
	reason string
}

// Show looks up the places. The answers are in the order of the places; each file is opened once and forgotten before
// the next one.
func (t *Tree) Show(asks []Ask) []Answer {
	answers := make([]Answer, len(asks))
	looked := map[string]file{} // by printed path and package
	type group struct {
		file
		asks []int
	}
	var groups []*group
	byPath := map[string]*group{}
	for i := range asks {
		a := &asks[i]
		key := a.Place.File + "\x00" + packageOf(a.Place.Function)
		f, known := looked[key]
		switch {
		case i >= MaxPlaces:
			f.reason = fmt.Sprintf("triage looks only for the first %d places", MaxPlaces)
		case known:
		case len(looked) == MaxFiles:
			f.reason = fmt.Sprintf("triage looks only for the first %d files", MaxFiles)
		default:
			f = t.find(a.Place)
			looked[key] = f
		}
		if f.reason != "" {
			answers[i].Reason = f.reason
			continue
		}
		path := f.root.dir + "\x00" + f.at.path
		g := byPath[path]
		if g == nil {
			g = &group{file: f}
			byPath[path] = g
			groups = append(groups, g)
		}
		g.asks = append(g.asks, i)
	}
	for _, g := range groups {
		text, reason := g.root.read(g.at.path, MaxFile)
		if reason == "" && strings.IndexByte(text, 0) >= 0 {
			reason = "a binary file"
		}
		if reason != "" {
			for _, i := range g.asks {
				answers[i].Reason = reason
			}
			continue
		}
		p := parse(g.at.path, text)
		for _, i := range g.asks {
			answers[i] = g.answer(p, &asks[i])
		}
	}
	return answers
}

// find looks for the file of a place: the first candidate that exists.
func (t *Tree) find(p rules.Place) file {
	s, reason := spotOf(p)
	if reason != "" {
		return file{reason: reason}
	}
	for _, r := range t.roots {
		for _, c := range r.candidates(s) {
			exists, why := r.regular(c.path)
			if exists {
				return file{root: r, at: c}
			}
			if reason == "" {
				reason = why
			}
		}
	}
	for _, r := range t.roots {
		if reason == "" {
			reason = r.otherVersions(s)
		}
	}
	if reason == "" {
		reason = s.absence()
	}
	return file{reason: reason}
}

// regular reports whether a path below the folder is a regular file; otherwise why not, "" for one that isn't there.
func (r *root) regular(path string) (ok bool, reason string) {
	local, err := filepath.Localize(path)
	if err != nil {
		return false, ""
	}
	info, err := r.files.Stat(local)
	switch {
	case err == nil && info.Mode().IsRegular():
		return true, ""
	case err == nil:
		return false, "not a regular file"
	}
	return false, whyNot(err)
}

// whyNot is the reason that an error gives, "" where it only says that there is no such file.
func whyNot(err error) string {
	for _, absent := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ENAMETOOLONG} {
		if errors.Is(err, absent) {
			return ""
		}
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return "can't be opened: " + err.Error()
}

// read returns a file's text, or the reason why it is not shown.
func (r *root) read(path string, limit int64) (text, reason string) {
	local, err := filepath.Localize(path)
	if err != nil {
		return "", "can't be opened"
	}
	if ok, reason := r.regular(path); !ok {
		return "", reason
	}
	f, err := r.files.Open(local)
	if err != nil {
		return "", whyNot(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return "", whyNot(err)
	case int64(len(data)) > limit:
		return "", fmt.Sprintf("larger than %d MiB", limit>>20)
	}
	return string(data), ""
}

// names returns the names in a folder, at most maxEntries. What is no folder has none, and is not opened: a FIFO would
// wait for a writer.
func (r *root) names(dir string) []string {
	local, err := filepath.Localize(dir)
	if err != nil {
		return nil
	}
	if info, err := r.files.Stat(local); err != nil || !info.IsDir() {
		return nil
	}
	f, err := r.files.Open(local)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxEntries) // what could not be listed is not known
	return names
}
