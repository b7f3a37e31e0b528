// Command triage reads what a busy, hung or crashed Go process left behind and names the guilty line of code.
//
// It takes a command line and the inputs that it names, and writes reports and an exit status. Begin reading at Main;
// a command without a name is analyze (analyze.go), and each other command has a file of its own. What a command reads
// is up to package triage, how a report looks is up to package report.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/disk"
)

func main() {
	paceCollector(os.Getenv)
	// Writing to a closed pipe is an error like any other (see output.go), not the program's death by SIGPIPE.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first Ctrl-C asks for the report of what came so far; the second ends the program as usual.
	context.AfterFunc(ctx, stop)
	os.Exit(Main(ctx, pluginArgs(os.Args), Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}))
}

// Main runs the program with its arguments (without the program's name) and returns its exit status. A cancelled ctx
// makes it report what it read until then.
func Main(ctx context.Context, args []string, std Std) int {
	code := exitOK
	root := newRoot(std, &code, callsCommand(args))
	root.SetArgs(fileBeforeCommand(root, args))
	err := root.ExecuteContext(ctx)
	if err == nil || closedPipe(err) {
		return code
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{exitUsage, err, hintOf(err)}
	}
	printError(std.Err, f.err.Error(), f.hint)
	return f.code
}

// hintOf suggests what to do about an error that no command knows: the system's, or one of the command line.
func hintOf(err error) string {
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return disk.Hint(err)
	}
	return "triage --help lists the commands and flags"
}

// fileBeforeCommand returns the arguments with ./ before a command's name that follows flags, where a file or folder
// has that name: a command comes first, and what follows the flags of the analysis is an INPUT.
func fileBeforeCommand(root *cobra.Command, args []string) []string {
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return args
	}
	c, _, err := root.Find(args)
	if err != nil || c == root {
		return args
	}
	i := slices.Index(args, c.Name())
	if _, err := os.Lstat(c.Name()); i < 0 || err != nil {
		return args
	}
	out := slices.Clone(args)
	out[i] = "." + string(filepath.Separator) + c.Name()
	return out
}

// subcommands are those of the root, by name, in the order of its help.
var subcommands = []struct {
	name string
	make func(std Std, code *int) *cobra.Command
}{
	{"diff", newDiff}, {"merge", newMerge},
	{"audit", newAudit}, {"show", newShow}, {"export", newExport}, {"fetch", newFetch},
	{kubectlCommand, newKubectl}, {"watch", newWatch}, {"store", newStore}, {"fleet", newFleet},
	{"redact", newRedact}, {"mcp", withoutStatus(newMCP)}, {"rules", newRules}, {"explain", withoutStatus(newExplain)},
	{"version", withoutStatus(newVersion)},
}

// withStatus is what a command runs: its exit status is that of run.
func withStatus(code *int, run func(*cobra.Command, []string) (int, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		*code, err = run(cmd, args)
		return err
	}
}

// withoutStatus makes a command that has no exit status of its own.
func withoutStatus(make func(Std) *cobra.Command) func(Std, *int) *cobra.Command {
	return func(std Std, _ *int) *cobra.Command { return make(std) }
}

// callsCommand reports whether arguments may call a command, or ask for help, which lists them all: one of them is its
// name, or a flag with an h.
func callsCommand(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
			return true
		}
		if strings.HasPrefix(arg, "-") && strings.Contains(arg, "h") {
			return true
		}
		for i := range subcommands {
			if subcommands[i].name == arg {
				return true
			}
		}
	}
	return false
}

// newRoot is the root command, with its commands where they are needed: they are a tenth of a start.
func newRoot(std Std, code *int, withCommands bool) *cobra.Command {
	root := newAnalyze(std, code)
	if withCommands {
		for i := range subcommands {
			c := subcommands[i].make(std, code)
			c.Flags().SortFlags = false
			root.AddCommand(c)
		}
	}
	root.Flags().SortFlags = false
	root.CompletionOptions.DisableDefaultCmd = !withCommands
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.Version = version()
	root.SetVersionTemplate(versionLine())
	root.SetFlagErrorFunc(flagFailure)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return flagsFromEnv(c, std.Getenv) }
	root.CompletionOptions.HiddenDefaultCmd = false
	wrapHelp(root, helpWidth(std))
	return root
}
