package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// A manifest is what the tests look at of the files in deploy.
type manifest struct {
	Kind  string
	Rules []struct{ Resources, Verbs []string }
	Spec  struct {
		Template struct {
			Spec struct {
				Containers []struct {
					Args            []string
					SecurityContext struct {
						RunAsNonRoot           bool `yaml:"runAsNonRoot"`
						ReadOnlyRootFilesystem bool `yaml:"readOnlyRootFilesystem"`
					} `yaml:"securityContext"`
				}
			}
		}
	}
}

func manifests(t *testing.T) map[string][]manifest {
	t.Helper()
	files, err := filepath.Glob("../../deploy/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	all := map[string][]manifest{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
			var m manifest
			if err := d.Decode(&m); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all[filepath.Base(name)] = append(all[filepath.Base(name)], m)
		}
	}
	return all
}

func TestManifestsGrantTheLeastRights(t *testing.T) {
	var rights []string
	for name, all := range manifests(t) {
		for _, m := range all {
			for _, r := range m.Rules {
				rights = append(rights, name+": "+strings.Join(r.Verbs, ",")+" "+strings.Join(r.Resources, ","))
			}
		}
	}
	slices.Sort(rights)
	want := []string{"port-forward.yaml: create pods/portforward", "rights.yaml: get pods/log",
		"rights.yaml: get,list pods"}
	if !slices.Equal(rights, want) {
		t.Errorf("%q, want %q", rights, want)
	}
}

func TestManifestsRunCommandsThatExistWithoutRights(t *testing.T) {
	seen := 0
	for name, all := range manifests(t) {
		for _, m := range all {
			for _, c := range m.Spec.Template.Spec.Containers {
				seen++
				code := 0
				root := newRoot(Std{Getenv: func(string) string { return "" }}, &code, true)
				for i := range c.Args { // what Kubernetes fills in
					c.Args[i] = strings.ReplaceAll(c.Args[i], "$(JOB_COMPLETION_INDEX)", "0")
				}
				cmd, flags, err := root.Find(c.Args)
				if err == nil {
					err = cmd.ParseFlags(flags)
				}
				if err == nil {
					err = cmd.Args(cmd, cmd.Flags().Args())
				}
				if err != nil || cmd == root && len(flags) == 0 {
					t.Errorf("%s: %q: %v", name, c.Args, err)
				}
				if !c.SecurityContext.RunAsNonRoot || !c.SecurityContext.ReadOnlyRootFilesystem {
					t.Errorf("%s: %+v", name, c.SecurityContext)
				}
			}
		}
	}
	if seen < 2 {
		t.Errorf("%d containers in all manifests", seen)
	}
}
