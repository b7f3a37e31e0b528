package triage

import (
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules"
)

// unpackNext makes commands that name an archive's entry runnable: first a command that takes the entry out, then the
// commands with the file that it leaves.
func unpackNext(f *rules.Finding) {
	var out []rules.Step
	for _, e := range f.Evidence {
		archive, entry, ok := strings.Cut(e.Input, ingest.InsideArchive)
		name, used := path.Base(entry), false
		if !ok || strings.HasPrefix(entry, "-") || strings.HasPrefix(name, "-") { // a name that would be an option
			continue
		}
		for i := range f.Next {
			if c := &f.Next[i].Command; strings.Contains(*c, rules.Quote(e.Input)) {
				*c = strings.ReplaceAll(*c, rules.Quote(e.Input), rules.Quote(name))
				used = true
			}
		}
		if used {
			out = append(out, rules.Command(takeOut(archive, entry, name)))
		}
	}
	f.Next = append(slices.Compact(out), f.Next...)
}

// takeOut is the command that writes an archive's entry to a file here. An archive within the archive is taken out
// itself.
func takeOut(archive, entry, name string) string {
	inner, rest, nested := strings.Cut(entry, ingest.InsideArchive)
	if nested {
		return takeOut(archive, inner, path.Base(inner)) + " && " + takeOut(path.Base(inner), rest, name)
	}
	command := "tar -xOf " + rules.Quote(archive) + " " + rules.Quote(entry)
	if strings.EqualFold(path.Ext(archive), ".zip") {
		command = "unzip -p " + rules.Quote(archive) + " " + rules.Quote(entry)
	}
	return command + " > " + rules.Quote(name)
}
