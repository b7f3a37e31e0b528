package redact

import (
	"fmt"
	"strings"
)

// maxNotes bounds how many files a Summary names, each way.
const maxNotes = 1000

// reportName is the file in a copied bundle that lists what was done.
const reportName = "redaction.txt"

// reportHead is how that file begins.
const reportHead = "This is a redacted copy, made by triage redact. "

// A Summary is what Copy did. Paths in it are those of the copy.
type Summary struct {
	Counts Counts
	Files  int // that were written, those of nested archives too
	// Dropped are files that are not in the copy, Changed those that are not what their name says any more: damaged,
	// renamed. Of each the first 1,000; DroppedCount and ChangedCount count all.
	Dropped, Changed           []Note
	DroppedCount, ChangedCount int
	// Left are places in the copy that look like secrets all the same, and as what; the
	// first 100, LeftCount counts all.
	Left      []Note
	LeftCount int
	// Places are where something is replaced, with CopyOptions.Check; of each class the first 100.
	Places map[Class][]Place
	// Recompressed names the copy's compression where it isn't the input's.
	Recompressed string
}

// A Note is about one file, or a place in it; Path is "" for the input itself.
type Note struct{ Path, Reason string }

func (s *Summary) drop(path, reason string) {
	add(&s.Dropped, &s.DroppedCount, maxNotes, Note{path, reason})
}

func (s *Summary) change(path, reason string) {
	add(&s.Changed, &s.ChangedCount, maxNotes, Note{path, reason})
}

func add(notes *[]Note, count *int, most int, n Note) {
	if *count++; len(*notes) < most {
		*notes = append(*notes, n)
	}
}

// notCovered lists what a copy may still reveal: no detector knows it.
const notCovered = `
Not covered, so check before you share:
  names of namespaces, pods, objects, images and users, and their UIDs: the copy would be useless without them
  code: functions, import paths and files, even those of private repositories
  secrets in prose, and values whose key doesn't say that they are secret
  hosts without a domain that no object, log prefix or key names; --hide WORD replaces them and any other word
  API groups, which may contain a company's domain; free text in annotations, labels and messages
  times, sizes and counts
`

// String is the summary for people: counts by class, what was dropped and why, what isn't covered.
func (s *Summary) String() string {
	var b strings.Builder
	files := "files were"
	if s.Files == 1 {
		files = "file was"
	}
	fmt.Fprintf(&b, "%d %s written; %s replaced.\n", s.Files, files, s.Counts)
	if s.Recompressed != "" {
		fmt.Fprintf(&b, "%s.\n", s.Recompressed)
	}
	notes(&b, "Not in the copy", "", s.Dropped, s.DroppedCount)
	notes(&b, "Changed", "", s.Changed, s.ChangedCount)
	notes(&b, "Still looks like a secret", "; --hide WORD replaces a word", s.Left, s.LeftCount)
	return b.String() + notCovered
}

func notes(b *strings.Builder, title, hint string, all []Note, count int) {
	if count == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s (%d)%s:\n", title, count, hint)
	for _, n := range all {
		if n.Path != "" {
			n.Path += ": "
		}
		fmt.Fprintf(b, "  %s%s\n", n.Path, n.Reason)
	}
	if more := count - len(all); more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}
