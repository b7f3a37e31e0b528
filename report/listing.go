package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// Listing writes what the inputs hold as a table: one line a file, those of an archive below its name, then the
// links, then what isn't read and why.
func Listing(w io.Writer, l *schema.Listing) error {
	out := bufio.NewWriter(w)
	for _, files := range groupedBy(pointers(l.Files), func(f *schema.Listed) string { return archiveOf(f.Path) }) {
		if err := listedFiles(out, archiveOf(files[0].Path), files); err != nil {
			return err
		}
	}
	if len(l.Links) > 0 {
		fmt.Fprintln(out, "links, whose targets are read:")
	}
	for _, k := range l.Links {
		fmt.Fprintf(out, "  %s -> %s\n", Escape(k.Path),
			Escape(strings.TrimPrefix(k.Target, archiveOf(k.Path)+ingest.InsideArchive)))
	}
	if len(l.Skipped) > 0 {
		fmt.Fprintln(out, "skipped, in whole or in part:")
	}
	for _, s := range l.Skipped {
		fmt.Fprintf(out, "  %s: %s\n", Escape(s.Path), Escape(s.Reason))
	}
	return out.Flush()
}

// archiveOf is the outermost archive that a path lies in, "" for none.
func archiveOf(path string) string {
	archive, _, ok := strings.Cut(path, ingest.InsideArchive)
	return textIf(ok, archive)
}

// listedFiles writes the files of one archive, or those that lie in none.
func listedFiles(w io.Writer, archive string, files []*schema.Listed) error {
	if archive != "" {
		fmt.Fprintf(w, "%s: %d files\n", Escape(archive), len(files))
	}
	tab := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tab, "KIND\tSIZE\tFRAMING\tOF\tPATH")
	for _, f := range files {
		path := strings.TrimPrefix(f.Path, archive+ingest.InsideArchive)
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s%s\n", f.Kind, phrase.ColumnSize(f.Bytes), cmp.Or(f.Framing, "-"),
			cmp.Or(Escape(listedOrigin(f)), "-"), Escape(path), listedNotes(f))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// listedOrigin is whose file it is: namespace/pod/container, then the node and the unit.
func listedOrigin(f *schema.Listed) string {
	who := ""
	if f.Pod != "" || f.Namespace != "" {
		who = strings.Trim(f.Namespace+"/"+f.Pod+"/"+f.Container, "/")
		switch {
		case f.Previous:
			who += " (previous)"
		case f.Restart > 0:
			who += fmt.Sprintf(" (restart %d)", f.Restart)
		}
	}
	return joined(", ", who, prefixed("node ", f.Node), prefixed("unit ", f.Unit))
}

func listedNotes(f *schema.Listed) string {
	return prefixed(" ", phrase.InBrackets(joined("; ", textIf(f.Follows != "", "continues the file above"),
		textIf(f.Reversed, "newest line first"), textIf(f.HeadCut, "its beginning is cut off"))))
}
