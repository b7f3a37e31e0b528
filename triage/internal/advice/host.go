package advice

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// A host is where a process ran, other than in a pod: it decides which commands exist.
type host struct {
	framings []string // of logs that show it
	kind     string   // of inputs that show it
	// ofDump reports whether a dump shows it; nil where none does.
	ofDump func(*rules.DumpInput) bool
	// ask is how the process prints its goroutines, with what the reader has to know of it.
	ask rules.Step
	why string
	// whole is how its whole log is read; without a command where there is none.
	whole rules.Step
	// unit is the word in ask and whole that a known name replaces; "" where none is known.
	unit string
}

const sigabrt = "SIGABRT makes the Go runtime print the stacks of all goroutines, regardless of GOTRACEBACK, and " +
	"ends the process"

// hosts are the places that an input can show. "docker compose" names a service, of which a log has the containers.
func hosts() []host {
	ends := "prints every goroutine, then ends the process"
	return []host{
		{
			framings: []string{"journald", "journald-json", "syslog"}, unit: "UNIT",
			why:   sigabrt + "; the dump is in the journal.",
			ask:   rules.Step{Command: "systemctl kill -s ABRT UNIT", Comment: ends, Changes: true},
			whole: rules.Command("journalctl -o cat -u UNIT | triage").Note("the whole log; --since narrows it"),
		},
		{
			framings: []string{"compose"},
			why:      sigabrt + "; the dump is in the container's log.",
			ask:      rules.Step{Command: "docker compose kill -s ABRT SERVICE", Comment: ends, Changes: true},
			whole:    rules.Command("docker compose logs --no-log-prefix SERVICE | triage").Note("the whole log"),
		},
		{
			framings: []string{"go-test-json"}, kind: string(ingest.KindTestOutput), ofDump: ofTest,
			why: "A test that only fails leaves no stacks. A test run that exceeds its timeout prints the " +
				"stacks of all goroutines.",
			ask: rules.Command("go test -timeout 1m -run TEST ./PACKAGE 2>&1 | triage").
				Note("-timeout limits the whole test run"),
		},
		{
			ofDump: ofWindows,
			why: "Windows has no signal that makes the Go runtime print its goroutines. If the process serves " +
				"net/http/pprof, fetch the dump from there; otherwise attach a debugger (dlv attach PID).",
			ask: rules.Command(`curl.exe -o dump.txt "http://localhost:6060/debug/pprof/goroutine?debug=2"`).
				Note("if it serves pprof on this port: the stack of every goroutine"),
		},
	}
}

// onWindows recognises the path of a source file that was compiled there.
var onWindows = regexp.MustCompile(`^[A-Za-z]:[/\\]`)

// hostOf is where the process of an input ran, nil where it is a pod or nothing shows it. dump may be nil.
func hostOf(inputs []schema.Input, path string, dump *rules.DumpInput) *host {
	i := slices.IndexFunc(inputs, func(in schema.Input) bool { return in.Path == path })
	if i < 0 || inputs[i].Pod != "" {
		return nil
	}
	for _, h := range hosts() {
		if !slices.Contains(h.framings, inputs[i].Framing) && (h.kind == "" || inputs[i].Kind != h.kind) &&
			(dump == nil || h.ofDump == nil || !h.ofDump(dump)) {
			continue
		}
		if name := inputs[i].Container; name != "" && h.unit != "" {
			h.ask.Command = strings.ReplaceAll(h.ask.Command, h.unit, rules.Quote(name))
			h.whole.Command = strings.ReplaceAll(h.whole.Command, h.unit, rules.Quote(name))
		}
		return &h
	}
	return nil
}

// ofTest reports whether a dump is that of a test binary.
func ofTest(d *rules.DumpInput) bool {
	waits := parsed.Waits(d)
	return waits != nil && waits.Test
}

// ofWindows reports whether the first source file of a stack has a drive's letter.
func ofWindows(d *rules.DumpInput) bool {
	for _, b := range d.Buckets {
		for _, f := range b.Frames {
			if f.File != "" {
				return onWindows.MatchString(f.File)
			}
		}
	}
	return false
}

// again are the commands that read the whole log of a host; nil where it has none.
func (h *host) again() []rules.Step {
	if h == nil || h.whole.Command == "" {
		return nil
	}
	return []rules.Step{h.whole}
}

// ofObject reports whether an input holds Kubernetes objects: a dump in it is in a termination message.
func ofObject(inputs []schema.Input, path string) bool {
	return slices.ContainsFunc(inputs, func(in schema.Input) bool {
		return in.Path == path && in.Kind == string(ingest.KindKubernetesObjects)
	})
}
