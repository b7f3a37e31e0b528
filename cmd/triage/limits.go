package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gotriage/triage/internal/ingest"
)

// limitFlags adds the flags for what of an input is read, and for how much of the machine it may take.
func (f *analyzeFlags) limitFlags(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.Only, "only", nil, "in folders and archives, read only files that match `GLOB` (*, ?, ** "+
		"for any number of folders; a bare name matches at any level); repeatable")
	fl.StringArrayVar(&f.Skip, "skip", nil, "in folders and archives, leave out files that match `GLOB`; repeatable")
	memoryFlags(fl, (*ingest.Limits)(&f.Limits))
	fl.Func("max-line", "keep at most `SIZE` of each line (default 4MiB)", func(s string) error {
		size, err := parseSize(s)
		if err == nil && (size < 1<<20 || size > 1<<30) {
			err = errors.New("must be between 1MiB and 1GiB")
		}
		f.Limits.MaxLine = int(size)
		return err
	})
}

// memoryFlags adds the flags for how much may be read, and held. A limit of 0 is the default of what it limits; "0" on
// the command line is nothing at all.
func memoryFlags(fl *pflag.FlagSet, l *ingest.Limits) {
	size := func(to *int64, name, text string) {
		fl.Func(name, text, func(s string) (err error) {
			if *to = -1; strings.TrimSpace(s) != "0" {
				*to, err = parseSize(s)
			}
			return err
		})
	}
	fl.IntVar(&l.MaxDepth, "max-depth", 0, "open archives inside archives down to depth `N` (default 8)")
	fl.IntVar(&l.MaxEntries, "max-entries", 0, "read at most `N` files across folders and archives (default 200000)")
	size(&l.MaxExpanded, "max-expanded", "read at most `SIZE` in all, after decompression (default 64GiB)")
	size(&l.MaxFile, "max-file", "read at most `SIZE` of each file, after decompression (default 16GiB)")
	size(&l.MaxMemory, "max-memory", "hold at most `SIZE` of nested archives and rotated logs in memory until they "+
		"are read (default 64MiB)")
	size(&l.MaxTemp, "max-temp", "spill at most `SIZE` of nested archives and logs to unlinked temporary files; 0 "+
		"for none (default 4GiB)")
}

// timeForms are the forms of a time on the command line, the most exact ones first. Fractions of seconds are read by
// all that have seconds.
var timeForms = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
	"2006-01-02 15:04", "2006-01-02",
}

// timeFlag adds a flag for a time, or a span before the end of the inputs. A time without a zone is in UTC, as kubelets
// and API servers log.
func timeFlag(fl *pflag.FlagSet, at *time.Time, ago *time.Duration, name, usage string) {
	fl.Func(name, usage, func(s string) (err error) {
		*at, *ago, err = parseTime(s)
		return err
	})
}

// parseTime returns the time that a text is, or else the span.
func parseTime(s string) (at time.Time, ago time.Duration, err error) {
	s = strings.TrimSpace(s)
	for _, form := range timeForms {
		if t, err := time.Parse(form, s); err == nil {
			return t, 0, nil
		}
	}
	if ago, err := time.ParseDuration(s); err == nil && ago > 0 {
		return at, ago, nil
	}
	return at, 0, errors.New("must be a time (2026-03-04T04:47:00Z, or 2026-03-04 04:47 in UTC), or a duration " +
		"before the end of the inputs (90s, 1h)")
}

// parseSize reads a number of bytes: 1000, 64KiB, 256MiB, 1GiB.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "KMGTiBkb")
	units := map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 1e3, "MB": 1e6,
		"GB": 1e9, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
	unit, known := units[text[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || n < 1 || n > (1<<62)/unit {
		return 0, errors.New("must be a size, such as 64KiB, 256MiB or 1GiB")
	}
	return n * unit, nil
}
