package triage

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/schema"
)

// makeStepsLocal makes the steps of findings and suspects run where the inputs are. What names an archive's entry takes
// it out first. A finding about a bundle, whose reader most likely has no cluster at hand, shows the lines in the
// bundle instead of asking a cluster for what the bundle holds.
func makeStepsLocal(r *schema.Report, suspects []suspect.Suspect, results []*sources.Result) {
	p := inputPlaces{captures: capturesOf(results), bundles: r.Bundles, stored: map[string]string{}}
	for _, e := range evidenceOf(r.Findings, suspects) {
		p.stored[e.Input] = ""
	}
	for _, result := range results {
		for _, part := range result.Source.Parts {
			if _, shown := p.stored[part.Path]; shown && part.Stored != "" {
				p.stored[part.Path] = part.Stored
			}
		}
	}
	for i := range r.Findings {
		p.makeLocal(&r.Findings[i])
	}
	for i := range suspects {
		f := rules.Finding{Evidence: suspects[i].Evidence, Next: suspects[i].Next, Culprit: suspects[i].Culprit}
		p.makeLocal(&f)
		suspects[i].Next = f.Next
	}
}

// evidenceOf is all the evidence of findings and suspects.
func evidenceOf(found []rules.Finding, suspects []suspect.Suspect) (all []rules.Evidence) {
	for i := range found {
		all = append(all, found[i].Evidence...)
	}
	for i := range suspects {
		all = append(all, suspects[i].Evidence...)
	}
	return all
}

// makeLocal makes the steps of a finding run where the inputs are.
func (p *inputPlaces) makeLocal(f *rules.Finding) {
	if e := p.evidenceInBundle(f); e != nil {
		f.Next = p.withoutCluster(e, f.Next)
	}
	p.unpackFirst(f)
	for i := range f.Next {
		f.Next[i] = f.Next[i].Cautioned()
	}
}

// inputPlaces are where the inputs of a run lie.
type inputPlaces struct {
	captures identity.Captures
	bundles  []schema.Bundle
	stored   map[string]string // an evidence's input → Part.Stored
}

// evidenceInBundle is the evidence of a finding that has a line in a bundle, nil where the finding is about anything
// else. A capture of triage fetch is no bundle here: what it was taken from is at hand.
func (p *inputPlaces) evidenceInBundle(f *rules.Finding) *rules.Evidence {
	var first *rules.Evidence
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if p.captures.Holds(e.Input) {
			return nil
		}
		bundled := strings.Contains(e.Input, ingest.InsideArchive) ||
			slices.ContainsFunc(p.bundles, func(b schema.Bundle) bool {
				return b.Layout != "" && b.Layout != podLogsLayout && b.Holds(e.Input)
			})
		if !bundled {
			return nil
		}
		if first == nil && e.Line > 0 {
			first = e
		}
	}
	return first
}

// podLogsLayout is a node's own folder, whose reader is at the node.
const podLogsLayout = "Kubernetes pod logs"

// withoutCluster replaces the steps that ask a cluster for what the bundle with the evidence holds. Those that stay are
// marked.
func (p *inputPlaces) withoutCluster(e *rules.Evidence, steps []rules.Step) []rules.Step {
	var here, there []rules.Step
	shown := false
	for _, s := range steps {
		switch {
		case !asksCluster(s.Command):
			here = append(here, s)
			shown = shown || strings.HasPrefix(s.Command, "triage audit ") ||
				strings.Contains(s.Command, rules.Quote(e.Input))
		case !looksUp(s.Command):
			there = append(there, s.Note(onCluster(s)))
		}
	}
	if !shown {
		here = append(p.showLines(e), here...)
	}
	return append(here, there...)
}

// onCluster is the comment of a step that needs a cluster: "on the cluster: two dumps".
func onCluster(s rules.Step) string {
	switch {
	case s.Comment == "":
		return "on the cluster"
	case s.Changes: // its comment is printed behind a word
		return s.Comment + " (on the cluster)"
	}
	return "on the cluster: " + s.Comment
}

// asksCluster reports whether a command needs a cluster.
func asksCluster(command string) bool {
	for _, c := range []string{"kubectl ", "for p in ", "triage fetch pod/", "helm "} {
		if strings.HasPrefix(command, c) {
			return true
		}
	}
	return false
}

// looksUp reports whether a command prints what is there now and ends: the bundle has it as it was.
func looksUp(command string) bool {
	words := strings.Fields(command)
	has := func(word string) bool { return slices.Contains(words, word) }
	return (has("get") && !has("-w")) || has("describe") || has("logs") || has("top") || has("api-resources")
}

// shownLines is how many lines of a bundle's file a command shows: a screen.
const shownLines = 40

// showLines are the steps that print the lines of an evidence.
func (p *inputPlaces) showLines(e *rules.Evidence) []rules.Step {
	archive, entry, ok := p.archiveEntry(e.Input)
	if !ok {
		return nil
	}
	var steps []rules.Step
	command, name := "", e.Input
	if entry != "" {
		steps, command, name = takeOut(archive, entry)
	}
	if unpacker := unpackers[path.Ext(name)]; unpacker != "" {
		if entry == "" {
			command = unpacker + " " + rules.Quote(name)
		} else {
			command += " | " + unpacker
		}
	}
	lines := fmt.Sprintf("sed -n '%d,%dp'", e.Line, e.Line+shownLines-1)
	if strings.Contains(path.Base(name), ".jsonl") {
		lines = fmt.Sprintf("sed -n '%dp'", e.Line)
	}
	if command == "" {
		command = lines + " " + rules.Quote(name)
	} else {
		command += " | " + lines
	}
	if strings.Contains(path.Base(name), ".json") { // an object a line
		command += " | cut -c-2000"
	}
	return append(steps, rules.Command(command).Note("the lines in the bundle"))
}

// unpackers write what a compressed file holds, by its ending.
var unpackers = map[string]string{".gz": "gzip -dc", ".xz": "xz -dc", ".zst": "zstd -dc", ".bz2": "bzip2 -dc"}

// archiveEntry splits the path of an input into an archive and an entry in it, "" for a file in a folder. ok is false
// for a name that commands would take for an option or a pattern.
func (p *inputPlaces) archiveEntry(input string) (archive, entry string, ok bool) {
	if stored := p.stored[input]; stored != "" {
		input = stored
	}
	archive, entry, inside := strings.Cut(input, ingest.InsideArchive)
	if !inside {
		return "", "", true
	}
	for part := range strings.SplitSeq(entry, ingest.InsideArchive) {
		if strings.HasPrefix(part, "-") || strings.HasPrefix(path.Base(part), "-") ||
			strings.ContainsAny(part, `*?[\`) {
			return "", "", false
		}
	}
	return archive, entry, true
}

// unpackFirst makes commands that name an archive's entry runnable: first the commands that take the entry out, then
// the commands with the file that they leave.
func (p *inputPlaces) unpackFirst(f *rules.Finding) {
	var out []rules.Step
	names := map[string]string{} // file → the input that it is
	for _, e := range f.Evidence {
		archive, entry, ok := p.archiveEntry(e.Input)
		if !ok || entry == "" || !slices.ContainsFunc(f.Next, func(s rules.Step) bool {
			return strings.Contains(s.Command, rules.Quote(e.Input))
		}) {
			continue
		}
		name := freeName(names, path.Base(entry), e.Input)
		steps, command, _ := takeOut(archive, entry)
		out = append(append(out, steps...), rules.Command(command+" > "+rules.Quote(name)))
		for i := range f.Next {
			c := &f.Next[i].Command
			*c = strings.ReplaceAll(*c, rules.Quote(e.Input), rules.Quote(name))
		}
	}
	f.Next = append(slices.Compact(out), f.Next...)
}

// freeName is a name that no other input has: NAME, else 2-NAME and so on.
func freeName(names map[string]string, name, input string) string {
	free := name
	for n := 2; names[free] != "" && names[free] != input; n++ {
		free = fmt.Sprintf("%d-%s", n, name)
	}
	names[free] = input
	return free
}

// takeOut is the command that prints an archive's entry, and the entry's name. An archive within the archive is taken
// out by steps before it.
func takeOut(archive, entry string) (steps []rules.Step, command, name string) {
	for {
		inner, rest, nested := strings.Cut(entry, ingest.InsideArchive)
		command = "tar -xOf " + rules.Quote(archive) + " " + rules.Quote(inner)
		if strings.EqualFold(path.Ext(archive), ".zip") {
			command = "unzip -p " + rules.Quote(archive) + " " + rules.Quote(inner)
		} else if archive == "-" { // no name says what was piped
			command = "(unzip -p FILE " + rules.Quote(inner) + " || tar -xOf FILE " + rules.Quote(inner) + ")"
		}
		if !nested {
			return steps, command, inner
		}
		archive = path.Base(inner)
		steps = append(steps, rules.Command(command+" > "+rules.Quote(archive)))
		entry = rest
	}
}
