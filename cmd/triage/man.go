package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(std Std) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "print the manual page, for man(1): triage man > triage.1",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeMan(std.Out, cmd.Root())
		},
	}
}

// writeMan writes one page with the commands and flags of root, in the man macros of roff (man(7)).
func writeMan(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	name := root.Name()
	fmt.Fprintf(&b, ".TH %s 1\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), name, roff(root.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n[\\fIFLAG\\fR...] [\\fIINPUT\\fR...]\n", name)
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(&b, ".br\n.B %s\n%s\n", name, roff(c.Use))
		}
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", strings.ReplaceAll(roff(root.Long), "\n\n", "\n.PP\n"))
	b.WriteString(".SH OPTIONS\n")
	manFlags(&b, root.Flags())
	manFlags(&b, root.PersistentFlags())
	b.WriteString(".SH COMMANDS\n")
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(c.Use), roff(c.Short))
			manFlags(&b, c.LocalNonPersistentFlags())
		}
	}
	fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(root.Example))
	_, err := io.WriteString(w, b.String())
	return err
}

func manFlags(b *strings.Builder, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, doc := pflag.UnquoteUsage(f)
		names := "\\-\\-" + roff(f.Name)
		if f.Shorthand != "" {
			names = "\\-" + f.Shorthand + ", " + names
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", names, roff(value), roff(doc))
	})
}

// roff keeps text from being read as requests: backslashes and dashes are escaped, and no line begins with a dot.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

func newVersion(std Std) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version, the commit and the Go release it was built with",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(std.Out, versionLine())
			return err
		},
	}
}

// versionLine is what `triage version` and `triage --version` print.
func versionLine() string {
	return fmt.Sprintf("triage %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is what the Go command stamped into the binary: a release, a pseudo-version with the commit, or "(devel)".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
