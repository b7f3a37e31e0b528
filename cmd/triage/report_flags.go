package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/redact"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// complete offers the words as a flag's values in shells.
func complete(cmd *cobra.Command, flag string, words []string) {
	// The only error is that of a flag that does not exist or is registered twice: a test runs every completion.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// inputsOf are the inputs that the arguments name: standard input where they name none and it is no terminal.
func inputsOf(std Std, args []string, hint string) ([]string, error) {
	switch {
	case len(args) > 0:
		return args, nil
	case std.In == nil || isTerminal(std.In):
		return nil, usageError(hint, "no input")
	}
	return []string{"-"}, nil
}

// runOver is a command that runs over the inputs that its arguments name, with the rules of --rules.
func (f *analyzeFlags) runOver(
	std Std, code *int, hint string, run func(context.Context, Std, []string) (int, error),
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		args, err := inputsOf(std, args, hint)
		if err == nil {
			f.sharedFlags(cmd)
			*code, err = run(cmd.Context(), std, args)
		}
		return err
	}
}

// check refuses flags that can't be meant.
func (f *analyzeFlags) check() error {
	if f.width < 0 {
		return usageError("", "--width %d: must be at least 1, or 0 for the terminal's width", f.width)
	}
	if !f.Until.IsZero() && f.Until.Before(f.Since) || f.SinceAgo != 0 && f.UntilAgo > f.SinceAgo {
		return usageError("", "--until is before --since")
	}
	for _, g := range slices.Concat(f.Only, f.Skip) {
		if err := ingest.CheckGlob(g); err != nil {
			return usageError("a pattern: --only 'logs/kube-system/**' --skip '*.yaml'", "%v", err)
		}
	}
	if f.Limits.MaxDepth < 0 || f.Limits.MaxEntries < 0 {
		return usageError("", "limits must be at least 1, or 0 for the default")
	}
	return nil
}

// options are what is to be written and the flags for the engine; the error is for flags that can't be meant.
func (f *analyzeFlags) options(std Std, of []format, inputs []string) ([]output, triage.Options, error) {
	if f.noSource {
		f.Source = nil
	}
	outs, err := outputs(of, f.formats, f.out)
	if err == nil {
		err = checkFiles(outs, slices.Concat(inputs, f.Rules, []string{f.config, f.Baseline}))
	}
	if err == nil {
		err = f.check()
	}
	o := f.Options
	o.Inputs, o.Stdin, o.Version, o.Nearby = inputs, std.In, version(), f.nearby(std)
	return outs, o, err
}

// reportFlags adds -o, --out, --all and --fail-on; what is what the command writes, all what --all lists, alarm what
// counts for --fail-on. A command may have an --out of its own.
func (f *analyzeFlags) reportFlags(cmd *cobra.Command, what, all, alarm string) {
	fl := cmd.Flags()
	f.formatFlag(cmd, "the "+what+" ", formats(), ". FILE can be an https:// URL, for HTTP PUT, or @FILE, a file "+
		"that contains such a URL")
	if fl.Lookup("out") == nil {
		f.outFlag(fl)
	}
	fl.BoolVar(&f.all, "all", false, "list every finding in full and every group of goroutines"+all)
	f.failOnFlag(cmd, alarm)
}

// formatFlag adds -o for what is written in one of the formats.
func (f *analyzeFlags) formatFlag(cmd *cobra.Command, what string, of []format, more string) {
	cmd.Flags().StringArrayVarP(&f.formats, "output", "o", nil, "write "+what+"as `FORMAT` ("+
		strings.Join(formatNames(of), ", ")+"), or with FORMAT=FILE to a file in addition to stdout; repeatable"+more)
	complete(cmd, "output", formatNames(of))
}

func (f *analyzeFlags) outFlag(fl *pflag.FlagSet) {
	fl.StringVar(&f.out, "out", "", "write to `FILE` instead of stdout")
}

func (f *analyzeFlags) failOnFlag(cmd *cobra.Command, alarm string) {
	oneOf(cmd, &f.failOn, "fail-on", "", "exit 1 on "+alarm+" of this `SEVERITY` or worse: ",
		[]string{string(rules.Critical), string(rules.High), string(rules.Medium), never})
}

// baselineFlag adds --baseline.
func (f *analyzeFlags) baselineFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Baseline, "baseline", "", "compare with the `REPORT` (JSON or HTML) of a healthy "+
		"process of the same service: show first what is new or has grown; --fail-on counts only that")
}

// groupFlags adds the flags for how much of a report is shown.
func (f *analyzeFlags) groupFlags(cmd *cobra.Command) {
	f.whereFlag(cmd)
	cmd.Flags().BoolVar(&f.brief, "brief", false, "write only the verdict, its evidence and its fix as text")
}

// whereFlag adds --where. Its words are those of the JSON report.
func (f *analyzeFlags) whereFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Where, "where", "", "list the groups of goroutines that match `CONDITION`, such as "+
		"'state == \"select\" and minutes > 10'; fields are "+strings.Join(triage.WhereWords(), ", "))
}

// sourceFlag adds --source and --no-source.
func (f *analyzeFlags) sourceFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.Source, "source", nil, "use the source code under `DIR` to show the guilty lines "+
		"and to judge waits; DIR is a checkout, $(go env GOMODCACHE) or $(go env GOROOT); repeatable (default the "+
		"working folder and the module cache, if they contain the build's code)")
	cmd.Flags().BoolVar(&f.noSource, "no-source", false, "read no source code")
}

// nearby are the folders that may have the program's code without a word of the user: the working folder and the module
// cache.
func (f *analyzeFlags) nearby(std Std) (dirs []string) {
	if f.noSource {
		return nil
	}
	dirs = []string{"."}
	cache := std.Getenv("GOMODCACHE")
	if cache == "" {
		home := cmp.Or(std.Getenv("HOME"), std.Getenv("USERPROFILE"))
		path := append(filepath.SplitList(std.Getenv("GOPATH")), filepath.Join(home, "go"))[0]
		cache = filepath.Join(path, "pkg", "mod")
	}
	if info, err := os.Stat(cache); err == nil && info.IsDir() {
		dirs = append(dirs, cache)
	}
	return dirs
}

// placeFlags adds the flags that leave out what is of other pods.
func (f *analyzeFlags) placeFlags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.Namespace, "namespace", "n", "", "read only inputs from this `NAMESPACE`, "+
		"and those whose namespace is unknown")
	fl.StringVar(&f.Pod, "pod", "", "read only inputs from this `POD`, and those whose pod is unknown")
	fl.StringVar(&f.Container, "container", "", "read only inputs from this `CONTAINER`, and those "+
		"whose container is unknown")
}

// parseShard reads I/N, with I from 1 to N, or from 0 to N-1 as Kubernetes counts the pods of a Job.
func (f *analyzeFlags) parseShard(text string) (err error) {
	i, n, _ := strings.Cut(text, "/")
	if f.Shard, err = strconv.Atoi(i); err == nil {
		f.Shards, err = strconv.Atoi(n)
	}
	if err != nil || f.Shard < 0 || f.Shards < 1 || f.Shard > f.Shards || f.Shards > triage.MaxShards {
		return errors.New("must be the number of a part and the number of parts (at most 10000), such as 1/7")
	}
	return nil
}

// textFlags adds the flags for how text looks; what is the text's name.
func (f *analyzeFlags) textFlags(cmd *cobra.Command, what string) {
	fl := cmd.Flags()
	oneOf(cmd, &f.color, "color", "", "`WHEN` to use colours (auto obeys NO_COLOR, TERM=dumb and CLICOLOR_FORCE): ",
		colorNames())
	fl.IntVar(&f.width, "width", 0, "the width in `COLUMNS` of the "+what+" (default that of the terminal, or 100 "+
		"for a file or pipe)")
	fl.BoolVar(&f.ascii, "ascii", false, "use only ASCII characters in the "+what)
}

// redactFlag adds --redact to a command that reports.
func redactFlag(fl *pflag.FlagSet, on *bool) {
	fl.BoolVar(on, "redact", false, "replace secrets, addresses and host names in the report with pseudonyms, as "+
		"triage redact does")
}

// redactNames replaces what --redact hides in a report or a listing. They are redacted before they are laid out, so
// that lines and columns still fit.
func (f *analyzeFlags) redactNames(shown any) {
	if !f.redact {
		return
	}
	t := redact.NewText(redact.Options{})
	switch s := shown.(type) {
	case *triage.Report:
		for _, in := range s.Inputs {
			t.Know(in.Node)
		}
	case *triage.Listing:
		for _, file := range s.Files {
			t.Know(file.Node)
		}
	}
	t.Values(shown)
}
