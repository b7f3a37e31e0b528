// Package disk writes files that are whole or absent, reads small ones that stay below a folder, and knows what helps
// against errors of file systems.
package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// A File is a new file on its way to its name: it is written beside its place and takes it when it is whole. Only its
// owner may read it, less what the umask takes away. Its errors name the place.
type File struct {
	path string
	tmp  *os.File
	done bool
}

// maxName bounds what a temporary name keeps of the final one: most file systems allow 255 bytes for both together.
const maxName = 128

// Create makes the file that Commit gives the name path. The caller calls Abandon at the end in every case.
func Create(path string) (*File, error) {
	base := filepath.Base(path)
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+base[:min(len(base), maxName)]+".*.tmp")
	if err != nil {
		return nil, named(err, path)
	}
	return &File{path: path, tmp: tmp}, nil
}

// Write writes to the file.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.tmp.Write(p)
	return n, named(err, f.path)
}

// Commit closes the file and gives it its name. Where something is there, it is replaced if replace is set; else the
// error is fs.ErrExist.
func (f *File) Commit(replace bool) error {
	if err := f.tmp.Close(); err != nil {
		return named(err, f.path)
	}
	if !replace {
		if _, err := os.Lstat(f.path); err == nil {
			return &fs.PathError{Op: "create", Path: f.path, Err: fs.ErrExist}
		}
	}
	if err := os.Rename(f.tmp.Name(), f.path); err != nil {
		return named(err, f.path)
	}
	f.done = true
	return nil
}

// Abandon closes and removes the file, where Commit did not give it its name.
func (f *File) Abandon() {
	if !f.done {
		_ = f.tmp.Close()
		_ = os.Remove(f.tmp.Name())
	}
}

// ReadBelow reads a regular file below root: a pipe may never end, and no link leads out.
func ReadBelow(root *os.Root, name string, most int) ([]byte, error) {
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	case info.Size() > int64(most):
		return nil, fmt.Errorf("%s: larger than %d KiB", name, most>>10)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)))
}

// Within reports whether a file, which need not be there, is the file of info, or lies below the folder of info. What
// the name leads through, links and "..", is followed as the system follows it.
func Within(file string, info fs.FileInfo) bool {
	if at, err := os.Stat(file); err == nil && os.SameFile(at, info) {
		return true
	}
	if !info.IsDir() {
		return false
	}
	if below(file, info) {
		return true
	}
	to, err := filepath.EvalSymlinks(file)
	return err == nil && below(to, info)
}

// below reports whether one of the folders that file lies in is that of info.
func below(file string, info fs.FileInfo) bool {
	// Dir takes ".." off behind a link.
	separator := func(r rune) bool { return r < 0x80 && os.IsPathSeparator(byte(r)) }
	dir, _ := filepath.Split(strings.TrimRightFunc(file, separator))
	dir, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
	if err != nil {
		return false // nothing can be written there
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return false
	}
	for {
		if at, err := os.Stat(dir); err == nil && os.SameFile(at, info) {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// named replaces the temporary name in an error by the one that the user chose.
func named(err error, path string) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: pe.Op, Path: path, Err: pe.Err}
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: le.Op, Path: path, Err: le.Err}
	}
	return err
}

// Numbers of Windows' system errors: ERROR_TOO_MANY_OPEN_FILES, ERROR_WRITE_PROTECT, ERROR_CRC, ERROR_HANDLE_DISK_FULL,
// ERROR_DISK_FULL. Package syscall's own names never match them there.
const (
	windowsTooManyFiles   = syscall.Errno(4)
	windowsWriteProtect   = syscall.Errno(19)
	windowsCRC            = syscall.Errno(23)
	windowsHandleDiskFull = syscall.Errno(39)
	windowsDiskFull       = syscall.Errno(112)
)

// Hint is what helps against an error of a file system, "" where it is none, or nothing is known to help.
func Hint(err error) string {
	is := func(unix, windows []syscall.Errno) bool {
		want := unix
		if runtime.GOOS == "windows" {
			want = windows
		}
		no, ok := errors.AsType[syscall.Errno](err)
		for _, e := range want {
			if ok && no == e {
				return true
			}
		}
		return false
	}
	type numbers = []syscall.Errno
	switch {
	case is(numbers{syscall.ENOSPC, syscall.EDQUOT}, numbers{windowsHandleDiskFull, windowsDiskFull}):
		return "the disk is full, or the quota on it is used up: make room there, or choose another place"
	case is(numbers{syscall.EFBIG}, nil):
		return "no larger file is allowed there (ulimit -f, or the file system): choose another place"
	case is(numbers{syscall.EROFS}, numbers{windowsWriteProtect}):
		return "the file system is read-only: choose another place"
	case is(numbers{syscall.EMFILE, syscall.ENFILE}, numbers{windowsTooManyFiles}):
		return "the limit on open files is too low: raise it (ulimit -n 1024) and try again"
	case is(numbers{syscall.EIO}, numbers{windowsCRC}):
		return "the device or the network behind it fails: copy what can still be read (ddrescue) and pass the copy"
	case is(numbers{syscall.ESTALE}, nil):
		return "the network file system lost the file: mount it again"
	}
	return ""
}
