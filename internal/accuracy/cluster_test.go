package accuracy

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
)

// The levels of an audit log.
const (
	metadataLevel = "Metadata"
	bodiesLevel   = "RequestResponse"
)

// clusterForms are the forms of a day of a control plane.
func clusterForms(t *testing.T, dir string, c *captures.Case) (all []capture) {
	for _, form := range []string{"metadata", "bodies", "snapshots", "watch", "logs", "processes", "bundle"} {
		if files := clusterFiles(t, dir, form, c.About["level"] == bodiesLevel); len(files) > 0 {
			all = append(all, capture{name: c.Name + "/" + form, form: form, files: files})
		}
	}
	return all
}

// clusterFiles are the files of one form of a capture, none if it lacks that form.
func clusterFiles(t *testing.T, capture, form string, bodies bool) []string {
	pattern := map[string]string{"metadata": "audit-*", "bodies": "audit-*", "snapshots": "snapshot-*", "watch": "watch*",
		"logs": "bundle*", "processes": "bundle*", "bundle": "bundle*"}[form]
	files, err := filepath.Glob(filepath.Join(capture, pattern))
	if err != nil {
		t.Error(err)
	}
	switch {
	case form == "bodies" && !bodies:
		return nil
	case form == "metadata" && bodies:
		return withoutBodies(t, files)
	case form == "logs":
		return partOfBundle(t, files, func(name string) bool {
			return strings.HasSuffix(name, ".log") && (!strings.Contains(name, "audit") || strings.Contains(name, "/pods/"))
		})
	case form == "processes":
		return partOfBundle(t, files, func(name string) bool { return strings.Contains(name, "/pprof/") })
	}
	return files
}

// partOfBundle unpacks some of a bundle's files and returns the folder that holds them, nothing if there are none.
func partOfBundle(t *testing.T, bundles []string, wanted func(name string) bool) []string {
	dir, found := t.TempDir(), false
	for _, bundle := range bundles {
		for files := tar.NewReader(bytes.NewReader(read(t, bundle))); ; {
			h, err := files.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", bundle, err)
				break
			}
			if h.Typeflag != tar.TypeReg || !wanted(h.Name) {
				continue
			}
			found = true
			data, err := io.ReadAll(files)
			to := filepath.Join(dir, filepath.FromSlash(h.Name))
			if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644)); err != nil {
				t.Errorf("%s: %v", bundle, err)
			}
		}
	}
	if !found {
		return nil
	}
	return []string{dir}
}

// withoutBodies writes audit logs as an API server writes them at level Metadata.
func withoutBodies(t *testing.T, logs []string) (stripped []string) {
	dir := t.TempDir()
	for _, log := range logs {
		var out bytes.Buffer
		for line := range bytes.Lines(read(t, log)) {
			var event map[string]json.RawMessage
			if err := json.Unmarshal(line, &event); err != nil {
				t.Errorf("%s: %v", log, err)
				break
			}
			delete(event, "requestObject")
			delete(event, "responseObject")
			event["level"] = json.RawMessage(`"Metadata"`)
			if err := json.NewEncoder(&out).Encode(event); err != nil {
				t.Errorf("%s: %v", log, err)
			}
		}
		to := filepath.Join(dir, filepath.Base(log))
		if err := os.WriteFile(to, out.Bytes(), 0o644); err != nil {
			t.Error(err)
		}
		stripped = append(stripped, to)
	}
	return stripped
}

func read(t *testing.T, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
	}
	return data
}
