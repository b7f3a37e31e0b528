package fetch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

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
		return fmt.Errorf("writing the manifest: %w", err)
	}
	return nil
}
