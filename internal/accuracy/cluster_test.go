package accuracy

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

const (
	clusterDir    = testdata + "/cluster"
	clusterFaults = testdata + "/gen/cluster/faults.yaml"
	clusterDays   = testdata + "/gen/cluster/healthy.yaml"
)

// The levels of an audit log.
const (
	metadataLevel = "Metadata"
	bodiesLevel   = "RequestResponse"
)

// A clusterFault is a fault that the cluster lab plays in two variants. The head of faults.yaml describes the keys.
type clusterFault struct {
	Name, Category string
	Also, Inputs   []string
	Least          rules.Severity `yaml:"min_severity"`
	A, B           clusterVariant
}

// A clusterVariant is one of the ways in which a fault is played.
type clusterVariant struct {
	Level, Object, Field, Cause, Function string

	Accept, Actors, Says []string
	Least                rules.Severity `yaml:"min_severity"`
}

// label is that of one form of a variant.
func (f *clusterFault) label(v *clusterVariant, form string) *label {
	l := &label{Least: v.Least, Says: slices.Clone(v.Says)}
	bundle := form == "bundle"
	if bundle || form == "metadata" || form == "bodies" {
		l.Says = append(l.Says, v.Actors...)
	}
	if bundle && v.Level == bodiesLevel || form == "bodies" || form == "snapshots" || form == "watch" {
		l.Says = append(l.Says, v.Field)
	}
	if bundle || form == "logs" {
		l.Says = append(l.Says, v.Cause, v.Function)
	}
	if l.Least == "" {
		l.Least = f.Least
	}
	for _, category := range append([]string{f.Category}, f.Also...) {
		l.Acceptable = append(l.Acceptable, place{Category: category, Object: append([]string{v.Object}, v.Accept...)})
		if v.Function != "" {
			l.Acceptable = append(l.Acceptable, place{Category: category, Function: v.Function})
		}
		for _, actor := range v.Actors {
			l.Acceptable = append(l.Acceptable, place{Category: category, Client: actor})
		}
	}
	l.RootCause = l.Acceptable[0]
	return l
}

// clusters are days of a control plane, each with one fault or none.
func clusters(t *testing.T, population string) (all []*batch) {
	var faults []clusterFault
	readYAML(t, clusterFaults, &faults)
	var days []struct{ Name, Level string }
	readYAML(t, clusterDays, &days)
	add := func(half, name, level string, of func(form string) *label, shown []string) {
		all = append(all, &batch{population: population, half: half, archive: filepath.Join(clusterDir, name+".tar.zst"),
			inputs: func(t *testing.T, capture string) (inputs []*input) {
				for _, form := range []string{"metadata", "bodies", "snapshots", "watch", "logs", "processes", "bundle"} {
					if files, l := clusterFiles(t, capture, form, level == bodiesLevel), of(form); len(files) > 0 {
						inputs = append(inputs, &input{program: name, name: name + "/" + form, form: form, files: files, label: l,
							hidden: !l.isHealthy() && !slices.Contains(shown, form)})
					}
				}
				return inputs
			}})
	}
	for _, f := range faults {
		add("a", f.Name+"-a", f.A.Level, func(form string) *label { return f.label(&f.A, form) }, f.Inputs)
		add("b", f.Name+"-b", f.B.Level, func(form string) *label { return f.label(&f.B, form) }, f.Inputs)
	}
	for _, d := range days {
		add("a", d.Name+"-a", d.Level, func(string) *label { return nothing() }, nil)
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
