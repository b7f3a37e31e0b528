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

// allowed lists the packages of this module that each package may import: data flows one way, from bytes to text, and
// no stage knows the next one.
var allowed = map[string][]string{
	// Nothing but tests.
	"internal/accuracy": {},
	// What unpacks the archives of testdata, which only tests import.
	"internal/captures": {},
	// A stand-in for kubectl, which only tests import.
	"internal/fetch/kubectltest": {},
	// A stand-in for stores of profiles, likewise.
	"internal/fetch/storetest": {},
	// Fleets of processes as a Prometheus has them, likewise.
	"internal/fetch/promtest": {"internal/fetch/servertest"},
	// Starts real servers, likewise.
	"internal/fetch/servertest": {},
	"internal/prometheus":       {"internal/fetch", "internal/jsonspan", "triage/schema"},
	"internal/survey": {
		"internal/fetch", "internal/ingest/origin", "internal/pods", "internal/prometheus", "rules", "rules/phrase",
		"triage/schema",
	},
	"internal/disk":          {},
	"internal/symbol":        {},
	"stackparse/frame":       {"internal/symbol"},
	"internal/ingest/origin": {},
	"internal/jsonspan":      {},
	"internal/least":         {},
	"internal/parallel":      {},
	"internal/stamp":         {},
	"rules/phrase":           {},
	"internal/cgroup":        {},
	"internal/metrics":       {},
	"rules/meters": {
		"internal/cgroup", "internal/metrics", "internal/parsed", "rules", "rules/phrase",
	},
	"internal/audit":          {"internal/jsonspan", "internal/refusal"},
	"internal/refusal":        {},
	"internal/fixture":        {"profile"},
	"internal/ingest/framing": {"internal/ingest/origin", "internal/jsonspan"},
	"internal/ingest/open":    {"internal/disk", "internal/ingest/origin"},
	"internal/kube":           {"internal/jsonspan"},
	"internal/objectname":     {},
	"internal/logpattern":     {"internal/jsonspan", "rules/phrase"},
	"profile":                 {"internal/symbol", "stackparse/frame"},
	"stackparse":              {"internal/symbol", "stackparse/frame"},
	"internal/export":         {"report", "rules", "triage/schema"},
	"internal/fetch":          {"internal/disk", "internal/ingest/origin", "profile"},
	"internal/watch":          {"internal/fetch", "rules", "rules/phrase", "triage/schema"},
	"triage/merge": {"internal/leads", "internal/pods", "rules", "rules/phrase", "stackparse",
		"triage/schema"},
	"internal/ingest/export": {"internal/jsonspan"},
	"internal/ingest": {
		"internal/ingest/export", "internal/ingest/framing", "internal/ingest/open", "internal/ingest/origin",
	},
	"internal/waitgraph": {"internal/symbol", "stackparse", "stackparse/frame"},
	// What tests of several rooms share, which only tests import.
	"internal/steptest":       {"rules", "triage/schema"},
	"rules/internal/dumptest": {"internal/symbol", "stackparse", "stackparse/frame"},
	"rules/internal/fixtures": {
		"internal/audit", "internal/cgroup", "internal/fixture", "internal/kube", "internal/logpattern",
		"internal/metrics", "rules", "rules/internal/rulestest",
	},
	"internal/redact": {"internal/disk", "internal/ingest", "internal/ingest/open", "internal/ingest/origin", "internal/jsonspan"},
	"rules": {
		"internal/least", "internal/symbol", "profile", "rules/phrase", "stackparse", "stackparse/frame",
	},
	// The evidence of a pass in the forms of this module, of which package rules knows none.
	"internal/parsed": {
		"internal/audit", "internal/cgroup", "internal/gocode", "internal/kube", "internal/logpattern",
		"internal/metrics", "internal/waitgraph", "rules",
	},
	"internal/pods": {"rules"},
	// Suspects: each room reads one kind of evidence.
	"internal/suspect": {"rules"},
	"internal/suspect/goroutines": {
		"internal/parsed", "internal/suspect", "internal/symbol", "internal/waitgraph", "rules", "rules/phrase", "stackparse",
		"stackparse/frame",
	},
	"internal/suspect/hotspots": {
		"internal/suspect", "internal/symbol", "profile", "rules", "rules/phrase", "stackparse/frame",
	},
	"internal/suspect/cluster": {
		"internal/audit", "internal/kube", "internal/logpattern", "internal/objectname", "internal/parsed", "internal/suspect",
		"rules", "rules/phrase",
	},
	"internal/leads":  {"internal/suspect", "internal/symbol", "rules", "triage/schema"},
	"internal/source": {"internal/gocode", "internal/symbol", "rules", "stackparse/frame"},
	"internal/gocode": {"internal/symbol"},
	"rules/dump/coded": {
		"internal/gocode", "internal/parsed", "internal/symbol", "rules", "rules/dump/account", "rules/phrase",
		"stackparse", "stackparse/frame",
	},
	"rules/auditlog":     {"internal/audit", "internal/kube", "internal/parsed", "internal/refusal", "rules", "rules/phrase"},
	"rules/dump/account": {"internal/symbol", "rules", "rules/phrase", "stackparse"},
	"rules/dump/spin": {
		"internal/symbol", "rules", "rules/dump/account", "rules/phrase", "stackparse", "stackparse/frame",
	},
	"rules/logs":    {"internal/kube", "internal/logpattern", "internal/parsed", "internal/pods", "rules", "rules/failure", "rules/phrase"},
	"rules/failure": {"rules/phrase"},
	"rules/match":   {"internal/symbol", "rules", "stackparse", "stackparse/frame"},
	"rules/objects": {
		"internal/kube", "internal/logpattern", "internal/objectname", "internal/parsed", "internal/refusal", "profile", "rules", "rules/phrase",
	},
	"triage/schema": {"rules", "stackparse"},
	"report": {
		"internal/ingest", "internal/leads", "internal/suspect", "internal/symbol", "rules", "rules/phrase", "stackparse", "stackparse/frame",
		"triage/schema",
	},
	"internal/mcp":    {"report", "report/agent", "rules", "rules/phrase", "triage", "triage/schema"},
	"report/agent":    {"internal/symbol", "report", "rules", "rules/phrase", "triage/schema"},
	"report/ci":       {"report", "rules", "triage/schema"},
	"report/markdown": {"internal/symbol", "report", "rules", "rules/phrase", "triage/schema"},
	"report/page":     {"internal/symbol", "report", "rules", "rules/phrase", "triage/schema"},
	"rules/dump/wait": {
		"internal/parsed", "internal/symbol", "internal/waitgraph", "rules", "rules/dump/account",
		"rules/dump/spin", "rules/match", "rules/phrase", "stackparse", "stackparse/frame",
	},
	"rules/hotspot": {
		"internal/symbol", "profile", "rules", "rules/match", "rules/phrase", "stackparse/frame",
	},
	"rules/internal/rulestest": {
		"internal/fixture", "internal/parsed", "internal/steptest", "profile", "rules", "rules/match", "rules/phrase",
		"stackparse/frame",
	},
	"rules/verdict": {
		"internal/audit", "internal/cgroup", "internal/kube", "internal/logpattern", "internal/metrics",
		"internal/parallel", "internal/parsed", "internal/pods", "internal/stamp", "internal/symbol", "profile",
		"rules", "rules/meters", "rules/phrase", "stackparse", "stackparse/frame",
	},
	"triage/internal/convert": {
		"internal/audit", "internal/cgroup", "internal/ingest", "internal/kube", "internal/logpattern",
		"internal/metrics", "internal/parsed", "internal/pods", "internal/symbol", "internal/waitgraph", "profile",
		"rules", "rules/dump/spin", "rules/phrase", "stackparse",
		"stackparse/frame", "triage/schema",
	},
	"triage/internal/identity": {
		"internal/ingest", "internal/kube", "internal/least", "internal/parallel", "internal/symbol", "rules",
		"stackparse", "stackparse/frame", "triage/schema",
	},
	"rules/declared": {
		"internal/audit", "internal/kube", "internal/logpattern", "internal/metrics", "internal/parsed",
		"internal/symbol", "profile", "rules", "rules/hotspot", "rules/match", "rules/phrase", "stackparse",
		"stackparse/frame",
	},
	"rules/dump/crash": {
		"internal/symbol", "rules", "rules/dump/account", "rules/dump/wait", "rules/failure", "rules/phrase", "stackparse",
		"stackparse/frame",
	},
	"triage/diff": {
		"internal/leads", "internal/symbol", "profile", "rules", "rules/match", "rules/verdict", "stackparse",
		"stackparse/frame", "triage/internal/convert", "triage/internal/identity", "triage/schema",
	},
	"triage/config": {"internal/disk", "internal/symbol", "rules", "rules/declared", "rules/match", "triage/schema"},
	"triage/fleet": {
		"internal/pods", "internal/stamp", "internal/symbol", "rules", "rules/phrase", "stackparse",
		"stackparse/frame", "triage/internal/identity", "triage/schema",
	},
	"triage/internal/advice": {
		"internal/ingest", "internal/parsed", "profile", "rules", "stackparse", "triage/internal/identity", "triage/schema",
	},
	"triage/internal/sources": {
		"internal/audit", "internal/cgroup", "internal/ingest", "internal/jsonspan", "internal/kube",
		"internal/logpattern", "internal/metrics", "internal/symbol", "profile", "rules", "rules/phrase", "stackparse",
		"triage/internal/identity", "triage/schema",
	},
	"rules/all": {
		"rules", "rules/auditlog", "rules/declared", "rules/dump/coded", "rules/dump/crash", "rules/dump/spin",
		"rules/dump/wait", "rules/hotspot", "rules/logs", "rules/meters", "rules/objects",
	},
	"triage/internal/where":    {"internal/symbol", "triage/schema"},
	"triage/internal/timeline": {"internal/audit", "internal/ingest", "triage/internal/sources", "triage/schema"},
	"triage": {
		"internal/audit", "internal/cgroup", "internal/disk", "internal/fixture", "internal/gocode", "internal/ingest",
		"internal/kube",
		"internal/leads", "internal/logpattern", "internal/metrics", "internal/parallel",
		"internal/parsed", "internal/pods", "internal/source", "internal/suspect", "internal/suspect/cluster",
		"internal/symbol",
		"internal/suspect/goroutines", "internal/suspect/hotspots", "profile", "rules", "rules/all", "rules/declared",
		"rules/dump/coded", "rules/dump/spin", "rules/dump/wait", "rules/hotspot", "rules/match", "rules/phrase",
		"rules/verdict", "stackparse", "stackparse/frame",
		"triage/config", "triage/diff", "triage/fleet", "triage/internal/advice", "triage/internal/convert",
		"triage/internal/identity", "triage/internal/sources", "triage/internal/timeline",
		"triage/internal/where", "triage/merge", "triage/schema",
	},
	"cmd/triage": {
		"internal/disk", "internal/export", "internal/fetch", "internal/ingest", "internal/mcp", "internal/redact",
		"internal/prometheus", "internal/survey", "internal/watch", "report",
		"report/agent", "report/ci", "report/markdown", "report/page", "rules", "rules/declared", "rules/phrase",
		"triage",
		"triage/config",
	},
}

func TestImportsFollowTheDataFlow(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		may, known := allowed[name]
		if !known {
			t.Errorf("%s is not in the table of packages: add it with what it may import", name)
		}
		seen[name] = true
		for _, d := range p.Imports {
			if dep, ok := strings.CutPrefix(d, module); ok && !slices.Contains(may, dep) {
				t.Errorf("%s imports %s, which is against the flow", name, dep)
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
		// Asking a process, and passing its alarms on, is what these are for.
		if strings.HasPrefix(pkg, module+"internal/fetch") || pkg == module+"internal/watch" {
			bans = []string{"log"}
		}
		for _, banned := range bans {
			if slices.Contains(strings.Fields(imports), banned) {
				t.Errorf("%s imports %s", pkg, banned)
			}
		}
	}
}
