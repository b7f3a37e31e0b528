package sources

import (
	"strings"
	"time"

	"github.com/gotriage/triage/internal/ingest"
)

// How long before a known time the last line of a log without a year may be.
const (
	// sinceCollected: a bundle holds the logs of containers that ended long ago, and journals of months.
	sinceCollected = 180 * 24 * time.Hour
	// sinceWritten: a file's own time is that of its last line, unless it was copied. That a copy's time fits by
	// chance, two days of a year, is rare.
	sinceWritten = 48 * time.Hour
)

// dateLogs gives logs whose lines have no year (klog, journals) the one that other inputs show: the time of the bundle
// that they lie in, of its objects or of its logs that have years; else that of their own file. Where these differ, the
// log stays without.
func dateLogs(results []*Result) {
	collected := map[string]time.Time{}
	note := func(rd *Result, at time.Time) {
		if in := bundleOf(rd.Source); at.After(collected[in]) {
			collected[in] = at
		}
	}
	for _, rd := range results {
		note(rd, rd.Objects.Time())
		if rd.Log != nil && !rd.Log.Yearless {
			note(rd, rd.Log.Last)
		}
	}
	for _, rd := range results {
		if rd.Log == nil || !rd.Log.Yearless || len(rd.Source.Parts) == 0 {
			continue
		}
		year := rd.Log.YearBefore(collected[bundleOf(rd.Source)], sinceCollected)
		own := rd.Log.YearBefore(rd.Source.Parts[len(rd.Source.Parts)-1].Modified, sinceWritten)
		switch {
		case year == 0:
			year = own
		case own != 0 && own != year:
			year = 0
		}
		if year != 0 {
			rd.Log.SetYear(year)
		}
	}
}

// bundleOf is the archive that a source lies in, "" for files and folders: those are taken as one bundle.
func bundleOf(s ingest.Source) string {
	archive, _, inside := strings.Cut(FirstPath(s), ingest.InsideArchive)
	if !inside {
		return ""
	}
	return archive
}
