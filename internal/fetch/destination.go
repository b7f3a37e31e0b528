package fetch

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A capture may hold secrets of the process (its arguments, words in stacks): only its owner may read it.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// A destination is where a capture goes. Everything is written below temp, a hidden sibling of final, and renamed at
// the end, so that final is never half a capture.
type destination struct {
	final, temp string
	zip         bool
}

// checkFree reports an error if there is a file at a path, or if that can't be found out.
func checkFree(final string) error {
	if _, err := os.Lstat(final); err == nil {
		return usage("name another with --out, or move it away", "%s is there already", final)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return usage("the folder must be there and readable", "looking for %s: %w", final, err)
	}
	return nil
}

func newDestination(final string) (*destination, error) {
	if err := checkFree(final); err != nil {
		return nil, err
	}
	parent := filepath.Dir(final)
	temp, err := os.MkdirTemp(parent, "."+filepath.Base(final)+".*.tmp")
	if err != nil {
		return nil, unwritable("making the capture's folder: %w", err)
	}
	return &destination{final: final, temp: temp, zip: strings.EqualFold(filepath.Ext(final), ".zip")}, nil
}

func unwritable(format string, err error) error {
	return usage("--out names a place in a folder that is there and writable", format, err)
}

func (d *destination) abandon() { _ = os.RemoveAll(d.temp) }

// commit gives the capture its final name; the caller abandons what is left.
func (d *destination) commit() error {
	if err := checkFree(d.final); err != nil {
		return err
	}
	from := d.temp
	if d.zip {
		from = d.temp + ".zip"
		if err := pack(d.temp, from); err != nil {
			_ = os.Remove(from)
			return fmt.Errorf("packing the capture: %w", err)
		}
	}
	if err := os.Rename(from, d.final); err != nil {
		return fmt.Errorf("naming the capture: %w", err)
	}
	return nil
}

// pack writes the files of a folder into a zip.
func pack(dir, file string) (err error) {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, out.Close()) }()
	w := zip.NewWriter(out)
	return cmp.Or(w.AddFS(os.DirFS(dir)), w.Close())
}
