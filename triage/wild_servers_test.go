package triage_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

const wildServers = "../testdata/gen/wild/servers.tsv"

// serversTitle begins the part of docs/wild.md that is about servers.
const serversTitle = "\n## Real servers\n"

// A wildServer is a line of the lab's list of servers and tools, with what came of its captures. All of it is healthy:
// none has a published problem that its load shows.
type wildServer struct {
	name, version string

	goroutines, withoutRole int
	inputs                  []string
	verdicts                map[string]string // by input
	alarms                  []serverAlarm
}

// A serverAlarm is a finding above low about one form of a server.
type serverAlarm struct {
	form string
	alarm
}

func (a serverAlarm) String() string {
	return fmt.Sprintf("%s %s %s %s", a.form, a.severity, a.rule, a.culprit)
}

// TestRealServersAreQuiet replays the captures of real servers and tools at work: nothing above low may be reported.
func TestRealServersAreQuiet(t *testing.T) {
	if raceDetector {
		t.Skip("the lab is replayed once, without the race detector")
	}
	servers := readWildServers(t)
	first := readFirst(t, wildFirst)
	seen := 0
	for _, s := range servers {
		s.replay(t)
		for _, input := range s.inputs {
			seen++
			if _, ok := first[input]; ok {
				continue
			}
			if !*updateWild {
				t.Errorf("%s has no first verdict: make wild-servers", input)
				continue
			}
			first[input] = s.verdicts[input]
			appendFirst(t, wildFirst, input, s.verdicts[input])
		}
		for _, a := range s.alarms {
			t.Errorf("%s is healthy: %s", s.name, a)
		}
	}
	if n := countFirst(first, true); n != seen {
		t.Errorf("%d first verdicts about %d inputs of servers: an input is gone, or %s was rewritten", n, seen, wildFirst)
	}
	comparePart(t, true, serversTable(servers, first))
}

// readWildServers reads the list of servers.
func readWildServers(t *testing.T) []*wildServer {
	t.Helper()
	data, err := os.ReadFile(wildServers)
	if err != nil {
		t.Fatal(err)
	}
	var servers []*wildServer
	for line := range strings.Lines(string(data)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || columns[0] == "name" {
			continue
		}
		if len(columns) != 7 {
			t.Fatalf("%s: %d columns", columns[0], len(columns))
		}
		_, version, _ := strings.Cut(columns[1], " ")
		version, _, _ = strings.Cut(version, " (")
		servers = append(servers, &wildServer{name: columns[0], version: version, verdicts: map[string]string{}})
	}
	return servers
}

// replay reads each form of a server that was captured.
func (s *wildServer) replay(t *testing.T) {
	t.Helper()
	archive := filepath.Join(wildDir, "servers", s.name+".tar.xz")
	if _, err := os.Stat(archive); errors.Is(err, fs.ErrNotExist) {
		return
	}
	dir := unpacked(t, archive)
	for _, form := range wildForms {
		files := slices.Clone(form.files)
		for i := range files {
			files[i] = filepath.Join(dir, files[i])
		}
		if _, err := os.Stat(files[len(files)-1]); err != nil || form.name == "crash" {
			continue
		}
		input := "servers/" + s.name + "/" + form.name
		r, err := triage.Run(context.Background(), triage.Options{Inputs: files})
		if err != nil {
			t.Fatalf("%s: %v", input, err)
		}
		s.inputs = append(s.inputs, input)
		s.verdicts[input] = verdictQuiet
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Severity.Rank() > rules.Low.Rank() {
				s.verdicts[input] = verdictAlarm
				s.alarms = append(s.alarms, serverAlarm{form.name, alarm{f.Severity, f.Name, f.Culprit.Function, f.Title}})
			}
		}
		if form.name == "debug2" || form.name == "signal" && s.goroutines == 0 {
			s.countRoles(r)
		}
	}
}

// countRoles counts the goroutines of a report, and those of them for which no role is known.
func (s *wildServer) countRoles(r *schema.Report) {
	for i := range r.Dumps {
		for k := range r.Dumps[i].Buckets {
			b := &r.Dumps[i].Buckets[k]
			s.goroutines += b.Count
			if b.Role == "" {
				s.withoutRole += b.Count
				if *onlyServer == s.name || *onlyServer == "all" {
					fmt.Printf("%s\t%d\t%s\t%s\n", s.name, b.Count, b.Wait, frameNames(b.Frames))
				}
			}
		}
	}
}

// frameNames are the functions of a stack, innermost first.
func frameNames(frames []schema.Frame) string {
	var names []string
	for i := range frames {
		names = append(names, frames[i].Function)
	}
	return strings.Join(names, " < ")
}

// serversTable is the part of docs/wild.md about servers.
func serversTable(servers []*wildServer, first map[string]string) string {
	var b strings.Builder
	b.WriteString(serversTitle + `
Servers and tools that everybody runs, started as their manuals say and kept at work for a minute (testdata/gen/wild/servers.tsv
says with what load, and what in them looks suspicious and is healthy). All of them are healthy: every finding above low is a
false alarm. A goroutine without a role is one that triage does not recognise as being where it should be, at debug=2, or in
the signal's dump where a server has no pprof port.

| server | version | goroutines | without a role | inputs | alarms at first | alarms |
|---|---|--:|--:|--:|--:|--:|
`)
	inputs, atFirst, alarms, captured, share := 0, 0, 0, 0, 0.0
	var texts, missing []string
	for _, s := range servers {
		if len(s.inputs) == 0 {
			missing = append(missing, s.name)
			continue
		}
		was, is := 0, 0
		for _, input := range s.inputs {
			if first[input] == verdictAlarm {
				was++
			}
			if s.verdicts[input] == verdictAlarm {
				is++
			}
		}
		for _, a := range s.alarms {
			texts = append(texts, fmt.Sprintf("- %s: %s\n", s.name, a))
		}
		inputs, atFirst, alarms, captured = inputs+len(s.inputs), atFirst+was, alarms+is, captured+1
		share += float64(s.withoutRole) / float64(max(1, s.goroutines))
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %d | %d | %d |\n", s.name, s.version, s.goroutines, ofAll(s.withoutRole, s.goroutines), len(s.inputs), was, is)
	}
	fmt.Fprintf(&b, "| %d servers | | | %.0f%% on average | %d | %d | %d |\n", captured, 100*share/float64(max(1, captured)), inputs, atFirst, alarms)
	if len(texts) > 0 {
		b.WriteString("\nAlarms:\n\n" + strings.Join(texts, ""))
	}
	if len(missing) > 0 {
		b.WriteString("\nNot captured, as testdata/gen/wild/README.md explains: " + strings.Join(missing, ", ") + ".\n")
	}
	return b.String()
}
