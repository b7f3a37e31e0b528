package identity

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// A Capture is what the manifest of `triage fetch` records about the files beside it (schema triage-capture/v1,
// docs/fetch.md): whose they are, and which of them are no evidence but its own notes.
type Capture struct {
	dir   string // of the manifest
	Items []struct {
		Name string `json:"name"`
		File string `json:"file"`
		Kind string `json:"kind"`
	} `json:"items"`
	Pods []struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
		UID       string `json:"uid"`
		Node      string `json:"node"`
		Container string `json:"container"`
		Restarts  int    `json:"restarts"`
		Folder    string `json:"folder"`
	} `json:"pods"`
}

// Bounds on what is believed of a manifest: 50 pods have some 700 items.
const (
	maxCapturedItems = 10_000
	maxCapturedPods  = 1_000
)

// ReadCapture reads a manifest, nil for one that is broken: the files beside it are read without it.
func ReadCapture(input string, data []byte) *Capture {
	c := &Capture{dir: path.Dir(filepath.ToSlash(input))}
	if err := json.Unmarshal(data, c); err != nil || len(c.Items) > maxCapturedItems || len(c.Pods) > maxCapturedPods {
		return nil
	}
	return c
}

// within is a path below the capture's folder, "" for others. Nothing is opened by it.
func (c *Capture) within(input string) string {
	input = filepath.ToSlash(input)
	if c.dir == "." {
		return input
	}
	rest, ok := strings.CutPrefix(input, strings.TrimSuffix(c.dir, "/")+"/")
	if !ok {
		return ""
	}
	return rest
}

// The manifest's kind of items that are text, and no dump (fetch, kindText): the command line. And its name of the
// log of the container's instance before the one that was captured (fetch, ItemPreviousLog).
const (
	capturedText     = "text"
	capturedPrevious = "previous-log"
)

// item is the name and the kind of the item that a file is, "" for none.
func (c *Capture) item(input string) (name, kind string) {
	file := c.within(input)
	for i := range c.Items {
		if it := &c.Items[i]; file != "" && it.File == file {
			return it.Name, it.Kind
		}
	}
	return "", ""
}

// Captures are those of one run.
type Captures []*Capture

// isNote reports whether a file is what a capture wrote about the process: no log, no dump.
func (all Captures) isNote(input string) bool {
	return slices.ContainsFunc(all, func(c *Capture) bool {
		_, kind := c.item(input)
		return kind == capturedText
	})
}

// target completes what a path shows of the owner of a captured file: the pod that it was captured from.
func (all Captures) target(input string, t rules.Target, process string) (rules.Target, string) {
	if t.Pod != "" {
		return t, process
	}
	for _, c := range all {
		file := c.within(input)
		if file == "" {
			continue
		}
		for i := range c.Pods {
			p := &c.Pods[i]
			folder := strings.Trim(p.Folder, "/")
			if p.Name == "" || folder == "" && len(c.Pods) > 1 || folder != "" && !strings.HasPrefix(file, folder+"/") {
				continue
			}
			from := ingest.Origin{
				Namespace: p.Namespace, Pod: p.Name, PodUID: p.UID, Container: p.Container, Node: p.Node,
				Restart: p.Restarts,
			}
			if name, _ := c.item(input); name == capturedPrevious {
				from.Restart--
			}
			t = TargetFrom(input, from)
			if process == "" {
				process = ProcessName(from, "")
			}
			return t, process
		}
	}
	return t, process
}

// MarkNotes replaces the kinds of the inputs that are a capture's own notes.
func (all Captures) MarkNotes(inputs []schema.Input) {
	for i := range inputs {
		if inputs[i].Kind != string(ingest.KindCapture) && all.isNote(inputs[i].Path) {
			inputs[i].Kind = string(ingest.KindCapture)
		}
	}
}
