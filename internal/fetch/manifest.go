package fetch

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/disk"
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

// checkFree reports an error if there is a file at a path, if that can't be found out, or if it is a URL.
func checkFree(final string) error {
	if strings.Contains(final, "://") {
		return usage("-o json=URL sends the report to an object store",
			"--out takes a folder or an archive, not a URL")
	}
	if _, err := os.Lstat(final); err == nil {
		return usage("choose another with --out, or move it away", "%s already exists", final)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return usage("the folder must exist and be readable", "looking for %s: %w", final, err)
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

// unwritable is the error of a place that a capture can't be written to.
func unwritable(format string, err error) error {
	hint := "--out needs a path in an existing, writable folder"
	if why := disk.Hint(err); why != "" {
		hint = why + " (--out)"
	}
	return usage(hint, format, err)
}

func (d *destination) abandon() {
	_ = os.RemoveAll(d.temp)
	_ = os.Remove(d.archive())
}

// archive is where the capture is packed.
func (d *destination) archive() string { return d.temp + ".zip" }

// commit gives the capture its final name; the caller abandons what is left.
func (d *destination) commit() error {
	if err := checkFree(d.final); err != nil {
		return err
	}
	from := d.temp
	if d.zip {
		from = d.archive()
		if err := pack(d.temp, from); err != nil {
			return unwritable("packing the capture: %w", err)
		}
	}
	if err := os.Rename(from, d.final); err != nil {
		return unwritable("naming the capture: %w", err)
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

// Schema is the name of the manifest's contract.
const Schema = "triage-capture/v1"

// ManifestFile is the manifest's name in a capture.
const ManifestFile = "manifest.json"

// A Manifest records when and from where a capture was made and the result of each item. It holds no secret.
type Manifest struct {
	Schema string    `json:"schema"`
	Target string    `json:"target"`
	Time   time.Time `json:"time"` // when it began, in UTC
	TookMS int64     `json:"took_ms"`
	Tool   Tool      `json:"tool"`
	// Interrupted reports that the user ended it early.
	Interrupted bool           `json:"interrupted,omitempty"`
	Items       []ManifestItem `json:"items"`
	Pods        []ManifestPod  `json:"pods,omitempty"`
	Notes       []string       `json:"notes,omitempty"`
}

// A Tool is the program that made the capture.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A ManifestItem is one item that was asked for, or left out.
type ManifestItem struct {
	Name    string    `json:"name"`
	File    string    `json:"file,omitempty"` // below the capture; "" if nothing is kept
	From    string    `json:"from,omitempty"` // the pod
	Path    string    `json:"path,omitempty"` // of the URL, with its query
	Kind    string    `json:"kind"`
	Started time.Time `json:"started,omitzero"`
	TookMS  int64     `json:"took_ms"`
	Bytes   int64     `json:"bytes"`
	Tries   int       `json:"tries,omitempty"` // if more than one
	// Truncated reports that File ends before the answer did.
	Truncated bool   `json:"truncated,omitempty"`
	Error     string `json:"error,omitempty"`
	// Note is why an item is absent without an error: not served, left out.
	Note string `json:"note,omitempty"`
}

// A ManifestPod is one pod of the capture.
type ManifestPod struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	UID       string `json:"uid,omitempty"`
	Node      string `json:"node,omitempty"`
	Container string `json:"container,omitempty"`
	Port      int    `json:"port"`
	Restarts  int    `json:"restarts"`
	Folder    string `json:"folder"`
	// Error is why nothing came from it.
	Error string `json:"error,omitempty"`
}

func (it ManifestItem) kept() bool { return it.File != "" }

func (m *Manifest) write(dir string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, ManifestFile), append(data, '\n'), fileMode)
	}
	if err != nil {
		return unwritable("writing the manifest: %w", err)
	}
	return nil
}
