package triage_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gotriage/triage/"

// allowed says which packages of this module each package may reach, directly or through others: data flows one way,
// from bytes to text, and no stage knows the next one.
var allowed = map[string][]string{
	"internal/frame":      {},
	"profile":             {"internal/frame"},
	"internal/ingest":     {"internal/jsonspan"},
	"stackparse":          {"internal/frame"},
	"internal/waitgraph":  {"internal/frame", "stackparse"},
	"internal/jsonspan":   {},
	"internal/logpattern": {"internal/jsonspan"},
	"internal/kube":       {"internal/jsonspan"},
	"internal/audit":      {"internal/jsonspan"},
	"internal/redact":     {"internal/ingest", "internal/jsonspan"},
	"rules":               {"internal/audit", "internal/frame", "internal/jsonspan", "internal/kube", "internal/logpattern", "profile", "stackparse", "internal/waitgraph"},
	"triage":              {"internal/audit", "internal/frame", "internal/ingest", "internal/jsonspan", "internal/kube", "internal/logpattern", "profile", "rules", "stackparse", "internal/waitgraph"},
	"report":              {"internal/audit", "internal/frame", "internal/ingest", "internal/jsonspan", "internal/kube", "internal/logpattern", "profile", "rules", "stackparse", "triage", "internal/waitgraph"},
	"internal/fetch":      {},
	// A stand-in for kubectl, which only tests import.
	"internal/fetch/kubectltest": {},
	"cmd/triage": {
		"internal/audit", "internal/fetch", "internal/frame", "internal/ingest", "internal/jsonspan", "internal/kube", "internal/logpattern", "profile", "internal/redact", "report", "rules", "stackparse", "triage", "internal/waitgraph",
	},
}

func TestImportsFollowTheDataFlow(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Deps,Standard", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Deps       []string
			Standard   bool
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name, ours := strings.CutPrefix(p.ImportPath, module)
		if !ours {
			continue
		}
		may, known := allowed[name]
		if !known {
			t.Errorf("%s is not in the table of packages: add it with what it may import", name)
		}
		seen[name] = true
		for _, d := range p.Deps {
			if dep, ok := strings.CutPrefix(d, module); ok && !slices.Contains(may, dep) {
				t.Errorf("%s depends on %s, which is against the flow", name, dep)
			}
		}
	}
	for name := range allowed {
		if !seen[name] {
			t.Errorf("%s is in the table, but there is no such package", name)
		}
	}
}

func TestOnlyTheCommandPrintsOrExits(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(pkg, module+"cmd/") {
			continue
		}
		bans := []string{"log", "os/exec", "net/http"}
		if strings.HasPrefix(pkg, module+"internal/fetch") { // asking a process is what it is for
			bans = []string{"log"}
		}
		for _, banned := range bans {
			if slices.Contains(strings.Fields(imports), banned) {
				t.Errorf("%s imports %s", pkg, banned)
			}
		}
	}
}
