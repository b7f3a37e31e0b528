package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/gotriage/triage/internal/disk"
	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/report/agent"
	"github.com/gotriage/triage/report/ci"
	"github.com/gotriage/triage/report/markdown"
	"github.com/gotriage/triage/report/page"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// A rendering is how reports are written.
type rendering struct {
	text report.TextOptions
	page page.Options
	ci   ci.Options
}

// A format is one way to write a report.
type format struct {
	name  string
	write func(io.Writer, *triage.Report, rendering) error
}

// formats are those of a report. The first two are those of what is no report, a listing or goroutines, too.
func formats() []format {
	return []format{
		{"text", func(w io.Writer, r *triage.Report, l rendering) error { return report.Text(w, r, l.text) }},
		{"json", func(w io.Writer, r *triage.Report, _ rendering) error { return report.JSON(w, r) }},
		{"html", func(w io.Writer, r *triage.Report, l rendering) error { return page.Write(w, r, l.page) }},
		{"markdown", func(w io.Writer, r *triage.Report, _ rendering) error { return markdown.Write(w, r) }},
		{"agent", func(w io.Writer, r *triage.Report, _ rendering) error { return agent.Write(w, r) }},
		{"sarif", func(w io.Writer, r *triage.Report, l rendering) error { return ci.SARIF(w, r, l.ci) }},
		{"junit", func(w io.Writer, r *triage.Report, l rendering) error { return ci.JUnit(w, r, l.ci) }},
	}
}

// ciOptions are for formats of continuous integration: the rules, read when the first one is asked for, and the working
// folder, which is the checkout there.
func (f *analyzeFlags) ciOptions() ci.Options {
	book := sync.OnceValues(func() (triage.RuleBook, error) {
		team, _ := loadConfig(f.config, f.noConfig)
		return triage.LoadBook(f.Rules, team)
	})
	dir, _ := os.Getwd() // without it paths are those of the inputs
	return ci.Options{Dir: dir, Doc: func(id string) (doc rules.Doc) {
		b, _ := book() // the run has reported what is wrong with them
		if r := rules.Find(b.Rules, id); r != nil {
			doc = r.Doc()
		}
		return doc
	}}
}

// plainFormats are those of a listing and of goroutines.
func plainFormats() []format { return formats()[:2] }

func formatNames(of []format) []string {
	var names []string
	for _, f := range of {
		names = append(names, f.name)
	}
	return names
}

// An output is one rendering of the report: to a file or a URL, or to stdout where file is "".
type output struct {
	format
	file string        // a URL without its query, for messages
	to   *fetch.Upload // nil for a file
}

// isURL matches a URL of any scheme. Its query may be a credential, and an error about such a file would show it.
var isURL = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[A-Za-z][A-Za-z0-9+.-]+:/`) })

// outputTo is an output to a file or to a URL. @FILE reads the URL from a file: anyone who sees one on the command line
// could write there.
func outputTo(f format, file string) (o output, err error) {
	url := file
	if name, found := strings.CutPrefix(file, "@"); found {
		if err := secretFile("the file with the URL", name, &url); err != nil {
			return o, err
		}
	} else if !isURL().MatchString(file) {
		return output{format: f, file: file}, nil
	}
	to, err := fetch.ParseUpload(url)
	if err != nil {
		return o, fetchFailure(err)
	}
	return output{f, to.String(), to}, nil
}

// outputs turns the values of -o (FORMAT or FORMAT=FILE) and of --out into what is to be written. One report goes to
// stdout, or to out where that is set: the one -o without a file, text where every -o has one.
func outputs(of []format, specs []string, out string) ([]output, error) {
	var all []output
	plain := 0
	for _, spec := range specs {
		name, file, hasFile := strings.Cut(spec, "=")
		i := slices.Index(formatNames(of), name)
		if i < 0 {
			return nil, usageError("formats: "+strings.Join(formatNames(of), ", "), "unknown format %q", name)
		}
		switch {
		case hasFile && file == "":
			return nil, usageError("triage -o "+name+"=FILE", "-o %s names no file", spec)
		case !hasFile:
			plain++
			file = out
		}
		o, err := outputTo(of[i], file)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	switch {
	case plain > 1:
		return nil, usageError("give all but one of them a file: -o text -o json=FILE", "%d reports would go to the "+
			"same place", plain)
	case plain == 0:
		o, err := outputTo(of[0], out)
		if err != nil {
			return nil, err
		}
		all = append([]output{o}, all...)
	}
	files := map[string]bool{}
	for _, o := range all {
		if o.file != "" && files[filepath.Clean(o.file)] {
			return nil, usageError("", "two reports would go to %s", o.file)
		}
		files[filepath.Clean(o.file)] = true
	}
	return all, nil
}

// checkFiles returns an error for a file that a report can't be written to: an input, or a file in a folder that is
// one, which the report would replace, a FIFO, which blocks until another process reads it, and "-".
func checkFiles(outs []output, inputs []string) error {
	for _, o := range outs {
		if o.to != nil {
			continue
		}
		if o.file == "-" {
			return usageError("leave it out for stdout, or write ./- for a file", "- is not a file")
		}
		out, err := os.Stat(o.file)
		if o.file == "" || err != nil && !isLink(o.file) {
			continue // what isn't there yet is written after all was read
		}
		if err == nil && out.Mode()&fs.ModeNamedPipe != 0 && !stdStream(o.file) {
			return usageError("write to stdout: triage INPUT > "+rules.Quote(o.file),
				"%s is a FIFO, not a file", o.file)
		}
		if err == nil && !out.Mode().IsRegular() {
			continue
		}
		switch in, folder := inputWith(o.file, inputs); {
		case folder:
			return usageError("give the report a new name, or one outside "+rules.Quote(in),
				"%s is part of the input %s: the report would replace it", o.file, in)
		case in != "":
			return usageError("give the report another name", "%s is an input: the report would replace it", o.file)
		}
	}
	return nil
}

// isLink reports whether there is a symbolic link of this name, which may lead nowhere.
func isLink(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// inputWith is the first input that is the file, or the folder that the file lies in; "" for none. Inputs may be globs.
func inputWith(file string, inputs []string) (in string, folder bool) {
	for _, input := range inputs {
		paths := []string{input}
		if _, err := os.Lstat(input); err != nil {
			paths, _ = filepath.Glob(input) // what is malformed is no file
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && disk.Within(file, info) {
				return path, info.IsDir()
			}
		}
	}
	return "", false
}

// stdStream reports whether a name below /dev is that of an open stream, which has a reader even where it is a pipe.
func stdStream(file string) bool { return strings.HasPrefix(filepath.Clean(file), "/dev/") }

// writeEach writes every output; a reader of one that has gone is no reason to withhold the others.
func writeEach(std Std, outs []output, write func(io.Writer, output) error) error {
	var errs []error
	for _, o := range outs {
		err := o.writeWith(std, func(w io.Writer) error { return write(w, o) })
		if err != nil && !closedPipe(err) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// writeWith writes to the output's file or URL, whole or not at all, or to stdout.
func (o output) writeWith(std Std, write func(io.Writer) error) error {
	if o.file == "" {
		return write(std.Out)
	}
	if o.to != nil {
		return o.upload(std, write)
	}
	if err := o.writeFile(write); err != nil {
		hint := cmp.Or(disk.Hint(err), "the folder must exist and be writable")
		return &failure{exitUsage, fmt.Errorf("writing the report: %w", err), hint}
	}
	return nil
}

// upload sends the report. An interruption that ended the reading doesn't end it.
func (o output) upload(std Std, write func(io.Writer) error) error {
	var report bytes.Buffer
	if err := write(&report); err != nil {
		return err
	}
	note := func(text string) { printError(std.Err, text, "") }
	err := o.to.Put(context.Background(), version(), report.Bytes(), note)
	if fe, ok := errors.AsType[*fetch.Error](err); ok {
		return &failure{exitUsage, fmt.Errorf("writing the report: %w", err), fe.Hint}
	}
	return err
}

// writeFile leaves the whole report under the file's name, or what was there before. A report holds lines of logs: the
// file is for its owner.
func (o output) writeFile(write func(io.Writer) error) error {
	// A device or a pipe (/dev/stderr, /dev/null) has no place that a file could be renamed to.
	if info, err := os.Stat(o.file); err == nil && !info.Mode().IsRegular() {
		return o.writeDevice(write)
	}
	f, err := disk.Create(o.file)
	if err != nil {
		return err
	}
	defer f.Abandon()
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Commit(true)
}

func (o output) writeDevice(write func(io.Writer) error) error {
	f, err := os.OpenFile(o.file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return write(f)
}

// Numbers of Windows' system errors for a pipe whose reader is gone: ERROR_BROKEN_PIPE and ERROR_NO_DATA.
const (
	windowsBrokenPipe = syscall.Errno(109)
	windowsNoData     = syscall.Errno(232)
)

// closedPipe reports an error of writing to a reader that has gone, as head does when it has enough. The report
// was not wanted further: that is no failure.
func closedPipe(err error) bool {
	if errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) {
		return true
	}
	var pathErr *fs.PathError
	if runtime.GOOS != "windows" || !errors.As(err, &pathErr) {
		return false
	}
	return errors.Is(err, windowsBrokenPipe) || errors.Is(err, windowsNoData)
}
