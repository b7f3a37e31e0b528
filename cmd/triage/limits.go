package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gotriage/triage/internal/ingest"
)

// A limitFlag is a size that limits what is read. Its zero is the default of what it limits; "0" on the command line is
// nothing at all.
type limitFlag struct {
	to       *int64
	fallback string // the default, for --help
}

func (f limitFlag) String() string {
	if f.to == nil || *f.to == 0 {
		return f.fallback
	}
	return strconv.FormatInt(max(0, *f.to), 10)
}

func (f limitFlag) Set(text string) error {
	if strings.TrimSpace(text) == "0" {
		*f.to = -1
		return nil
	}
	var size sizeFlag
	if err := size.Set(text); err != nil {
		return err
	}
	*f.to = int64(size)
	return nil
}

func (f limitFlag) Type() string { return "size" }

// limitFlagNames are the flags that --help shows by themselves.
var limitFlagNames = []string{"only", "skip", "max-depth", "max-entries", "max-expanded", "max-file", "max-memory",
	"max-temp", "max-line"}

// groupLimits makes --help of cmd show the flags of limitFlags below the others.
func groupLimits(cmd *cobra.Command, width int) {
	plain := cmd.UsageFunc()
	cmd.SetUsageFunc(func(c *cobra.Command) error {
		if c != cmd {
			return plain(c)
		}
		limits := pflag.NewFlagSet("limits", pflag.ContinueOnError)
		limits.SortFlags = false
		hide := func(hidden bool) {
			for _, name := range limitFlagNames {
				c.Flags().Lookup(name).Hidden = hidden
			}
		}
		for _, name := range limitFlagNames {
			limits.AddFlag(c.Flags().Lookup(name))
		}
		hide(true)
		err := plain(c)
		hide(false)
		_, printErr := fmt.Fprintf(c.OutOrStderr(), "\nWhat of the inputs is read, and how much at most:\n%s",
			limits.FlagUsagesWrapped(width))
		return errors.Join(err, printErr)
	})
}

// limitFlags adds the flags for what of an input is read, and for how much of the machine it may take.
func limitFlags(fl *pflag.FlagSet, only, skip *[]string, l *ingest.Limits) {
	fl.Var(repeated(only), "only", "of folders and archives read only what matches `GLOB` (*, ?, ** for any "+
		"folders; a bare name matches anywhere); repeatable")
	fl.Var(repeated(skip), "skip", "leave out of folders and archives what matches `GLOB`; repeatable")
	size := func(to *int64, name, fallback, text string) { fl.Var(limitFlag{to, fallback}, name, text) }
	fl.IntVar(&l.MaxDepth, "max-depth", 0, "archives inside archives down to `N` (default 8)")
	fl.IntVar(&l.MaxEntries, "max-entries", 0, "`N` files of all folders and archives together (default 200000)")
	size(&l.MaxExpanded, "max-expanded", "64GiB", "`SIZE` of all files together, decompressed")
	size(&l.MaxFile, "max-file", "16GiB", "`SIZE` of one file, decompressed")
	size(&l.MaxMemory, "max-memory", "64MiB", "`SIZE` in memory of nested archives and rotated logs that must be "+
		"held until they are read")
	size(&l.MaxTemp, "max-temp", "4GiB", "`SIZE` in deleted temporary files of those that memory has no room for; 0 "+
		"for none")
	fl.Var(lineFlag{&l.MaxLine}, "max-line", "`SIZE` of a line's text that is kept")
}

// A lineFlag is a limitFlag for an int.
type lineFlag struct{ to *int }

func (f lineFlag) String() string {
	if f.to == nil || *f.to == 0 {
		return "4MiB"
	}
	return strconv.Itoa(*f.to)
}

func (f lineFlag) Set(s string) error {
	var size sizeFlag
	if err := size.Set(s); err != nil {
		return err
	}
	if size < 1<<20 || size > 1<<30 {
		return fmt.Errorf("a line keeps at least 1MiB and up to 1GiB")
	}
	*f.to = int(size)
	return nil
}

func (f lineFlag) Type() string { return "size" }

// A moment is a time, or a span before the end of the inputs; one of them at most is set.
type moment struct {
	at  time.Time
	ago time.Duration
}

// A timeFlag is a moment on the command line. A time without a zone is in UTC, as kubelets and API servers log.
type timeFlag struct{ to *moment }

// timeForms are what a timeFlag takes, the most exact ones first. Fractions of seconds are read by all that have
// seconds.
var timeForms = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
	"2006-01-02 15:04", "2006-01-02",
}

func (f timeFlag) String() string {
	switch {
	case f.to == nil || *f.to == moment{}:
		return ""
	case f.to.ago != 0:
		return f.to.ago.String()
	}
	return f.to.at.Format(time.RFC3339Nano)
}

func (f timeFlag) Set(s string) error {
	s = strings.TrimSpace(s)
	for _, form := range timeForms {
		if t, err := time.Parse(form, s); err == nil {
			*f.to = moment{at: t}
			return nil
		}
	}
	if ago, err := time.ParseDuration(s); err == nil && ago > 0 {
		*f.to = moment{ago: ago}
		return nil
	}
	return fmt.Errorf("it is a time (2026-03-04T04:47:00Z, or 2026-03-04 04:47 in UTC), or a span before the end of " +
		"the inputs (90s, 1h)")
}

func (f timeFlag) Type() string { return "time" }

// A sizeFlag is a number of bytes: 1000, 64KiB, 256MiB, 1GiB.
type sizeFlag int64

func (s *sizeFlag) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

func (s *sizeFlag) Type() string { return "size" }

func (s *sizeFlag) Set(text string) error {
	digits := strings.TrimRight(text, "KMGTiBkb")
	units := map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 1e3, "MB": 1e6,
		"GB": 1e9, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
	unit, known := units[text[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || n < 1 || n > (1<<62)/unit {
		return fmt.Errorf("it is a number of bytes like 64KiB, 256MiB or 1GiB")
	}
	*s = sizeFlag(n * unit)
	return nil
}
