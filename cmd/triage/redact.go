package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/disk"
	"github.com/gotriage/triage/internal/redact"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules/phrase"
)

const redactLong = `Copy a log, dump, profile, audit log or support bundle so that you can share the copy. IN is a file,
a folder or an archive (zip, tar, gzip, zstd, xz, archives in archives). OUT is the copy, in the same format. "-" is
standard input or output.

triage replaces tokens, passwords, keys and certificates, the values of Secrets, IP and hardware addresses, machine ids,
users' folders, hosts and domains, e-mail addresses, and what --hide and --also name. A value has the same pseudonym
everywhere (ip-1, host-2, mail-3, token-4), even in file names, so a reader still sees what belongs together. triage
reports the same findings for the copy as for the original. Code, times, versions, UIDs and names of objects stay.
Anything that no detector recognises stays too: the summary says what isn't covered.

The copy leaves out links, devices, encrypted and damaged entries, and binary files other than profiles. If OUT is an
archive or a folder, it contains the summary as redaction.txt. OUT appears only when it is complete, and nothing is
written elsewhere.

--check takes only IN and writes nothing. It lists, by kind, the lines that contain something to replace. Use it as a
gate before sharing.

After copying, triage searches the copy with independent rules. The summary lists what still looks like a secret.

Exit status: 0 copied; 1 something in the copy looks like a secret (--strict), or something would be replaced (--check);
2 wrong usage, or OUT can't be written; 3 IN can't be read completely.`

const redactExample = `  triage redact bundle.zip shared.zip
  triage redact --hide acme --map private.tsv must-gather.tar.xz shared.tar.gz
  triage redact --check --keep ip --keep host bundle.zip
  kubectl logs POD | triage redact - - > shared.log`

// redactFlags are the flags of triage redact.
type redactFlags struct {
	o       redact.CopyOptions
	also    []string
	keep    []string
	mapFile string
	quiet   bool
	strict  bool
}

func newRedact(std Std, code *int) *cobra.Command {
	f := &redactFlags{}
	cmd := &cobra.Command{
		Use:     "redact {IN OUT | --check IN}",
		Short:   "copy a log or bundle without secrets, addresses and host names",
		Long:    redactLong,
		Example: redactExample,
		Args: func(_ *cobra.Command, args []string) error {
			got := phrase.Count(len(args), "argument")
			switch {
			case f.o.Check && len(args) != 1:
				return usageError("triage redact --check IN", "--check needs IN alone (got %s)", got)
			case !f.o.Check && len(args) != 2:
				return usageError("triage redact IN OUT", "redact needs IN and OUT (got %s)", got)
			}
			return nil
		},
		RunE: withStatus(code, func(cmd *cobra.Command, args []string) (int, error) {
			return f.run(cmd.Context(), std, args[0], append(args, "")[1])
		}),
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.o.Hide, "hide", nil, "also replace `WORD`, as a whole word, in upper or lower case; "+
		"repeatable")
	fl.StringArrayVar(&f.also, "also", nil, "also replace every match of `REGEXP`, or only of its first group; "+
		"repeatable")
	fl.StringArrayVar(&f.keep, "keep", nil, "don't replace `NAME`: a host, a domain and its subdomains, an address "+
		"or network, or a kind ("+strings.Join(redact.Kinds(), ", ")+"); separate several with commas; "+
		"repeatable")
	fl.BoolVar(&f.o.Check, "check", false, "write nothing, list what would be replaced, and exit 1 if anything would")
	fl.StringVar(&f.mapFile, "map", "", "write each pseudonym with its value to `FILE`, which only you can read")
	fl.BoolVar(&f.o.KeepBinary, "keep-binary", false, "copy binary files other than profiles as they are, with "+
		"any secrets in them")
	fl.BoolVar(&f.o.Force, "force", false, "replace OUT and the map if these files already exist")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "no summary on stderr")
	fl.BoolVar(&f.strict, "strict", false, "exit 1 if something in the copy still looks like a secret")
	memoryFlags(fl, &f.o.Limits)
	return cmd
}

// run copies and returns the exit status.
func (f *redactFlags) run(ctx context.Context, std Std, in, out string) (int, error) {
	f.o.Stdin, f.o.Stdout = std.In, std.Out
	for _, text := range f.also {
		r, err := regexp.Compile(text)
		if err != nil {
			return exitUsage, usageError("quote it for the shell", "--also %s: %v", text, err)
		}
		f.o.Also = append(f.o.Also, r)
	}
	for _, list := range f.keep {
		f.o.Keep = append(f.o.Keep, strings.Split(list, ",")...)
	}
	for _, name := range f.o.Keep {
		if !redact.CanKeep(name) {
			kinds := strings.Join(redact.Kinds(), ", ")
			return exitUsage, usageError("a kind is one of "+kinds+"; write a host with its full name",
				"--keep %q: not a kind, a host, a domain, an address or a network", name)
		}
	}
	closeMap, err := f.openMap(in, out)
	if err != nil {
		return exitUsage, err
	}
	sum, err := redact.Copy(ctx, in, out, f.o)
	err = cmp.Or(err, closeMap(err == nil))
	switch {
	case closedPipe(err):
		return exitOK, err
	case err != nil:
		return exitUsage, redactFailure(err)
	}
	if f.o.Check {
		writeEscaped(std.Out, sum.List())
	} else if !f.quiet {
		writeEscaped(std.Err, sum.String())
	}
	if f.quiet && f.strict && sum.LeftCount > 0 {
		printError(std.Err, phrase.Count(sum.LeftCount, "line")+" of the copy look like secrets",
			"without --quiet the summary lists them")
	}
	switch {
	case slices.ContainsFunc(sum.Changed, func(n redact.Note) bool { return n.Path == "" }):
		return exitUnreadable, nil
	case f.o.Check && len(sum.Places) > 0, f.strict && sum.LeftCount > 0:
		return exitFindings, nil
	}
	return exitOK, nil
}

// openMap makes the file of pseudonyms. The returned function closes it and, where the copy failed, removes it.
func (f *redactFlags) openMap(in, out string) (func(keep bool) error, error) {
	if f.mapFile == "" {
		return func(bool) error { return nil }, nil
	}
	for _, path := range []string{in, out} { // a map below IN would be a part of the copy
		if info, err := os.Stat(path); err == nil && disk.Within(f.mapFile, info) ||
			filepath.Clean(path) == filepath.Clean(f.mapFile) {
			return nil, usageError("give the map a file of its own", "--map %s is IN or OUT, or is in one of them",
				f.mapFile)
		}
	}
	if info, err := os.Lstat(f.mapFile); err == nil && (!f.o.Force || !info.Mode().IsRegular()) {
		return nil, mapFailure(&fs.PathError{Op: "create", Path: f.mapFile, Err: fs.ErrExist})
	}
	file, err := disk.Create(f.mapFile)
	if err != nil {
		return nil, mapFailure(err)
	}
	w := bufio.NewWriter(file)
	f.o.Map = w
	return func(keep bool) error {
		defer file.Abandon()
		if !keep {
			return nil
		}
		err := w.Flush()
		if err == nil {
			err = file.Commit(f.o.Force)
		}
		if err != nil {
			return mapFailure(err)
		}
		return nil
	}, nil
}

func mapFailure(err error) error {
	hint := disk.Hint(err)
	if errors.Is(err, fs.ErrExist) {
		hint = "--force replaces an existing file"
	}
	return &failure{exitUsage, fmt.Errorf("writing the map: %w", err), hint}
}

// redactFailure gives an error of a copy its status and hint.
func redactFailure(err error) error {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &failure{exitUsage, errors.New("interrupted: nothing was written"), ""}
	case errors.Is(err, redact.ErrNoInput):
		return &failure{exitUnreadable, err, disk.Hint(err)}
	case errors.Is(err, redact.ErrExists):
		return &failure{exitUsage, err, "name another OUT; --force replaces a file, never a folder"}
	case errors.Is(err, redact.ErrSame):
		return &failure{exitUsage, err, "name an OUT outside IN"}
	case errors.Is(err, redact.ErrNoName):
		return &failure{exitUsage, err, "triage redact DIR NEWDIR"}
	case errors.Is(err, redact.ErrForm):
		return &failure{exitUsage, err, "the copy of an archive is an archive of the same format, the copy of a " +
			"folder a folder"}
	}
	return &failure{exitUsage, err, disk.Hint(err)}
}

// writeEscaped writes text for people: its paths come from the input.
func writeEscaped(w io.Writer, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintf(w, "%s\n", report.Escape(strings.TrimSuffix(line, "\n")))
	}
}
