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
	note := func(result *Result, at time.Time) {
		if in := bundleOf(result.Source); at.After(collected[in]) {
			collected[in] = at
		}
	}
	for _, result := range results {
		note(result, result.Objects.Time())
		if result.Log != nil && !result.Log.Yearless {
			note(result, result.Log.Last)
		}
	}
	for _, result := range results {
		if result.Log == nil || !result.Log.Yearless || len(result.Source.Parts) == 0 {
			continue
		}
		year := result.Log.YearBefore(collected[bundleOf(result.Source)], sinceCollected)
		own := result.Log.YearBefore(result.Source.Parts[len(result.Source.Parts)-1].Modified, sinceWritten)
		switch {
		case year == 0:
			year = own
		case own != 0 && own != year:
			year = 0
		}
		if year != 0 {
			result.Log.SetYear(year)
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
