package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/disk"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage"
)

func newRulesNew(std Std) *cobra.Command {
	kind := declared.SkeletonKinds()[0]
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "write a first rule of your own, with a fixture and a near miss",
		Long: `Write three files into the current folder: NAME.yaml contains a rule for you to change, NAME.txtar a
situation in which it fires, and NAME-near.txtar one in which it must not. "triage rules test NAME.yaml" passes from the
start. triage overwrites no file.`,
		Example: "  triage rules new stuck-upload\n  triage rules new certificate-not-ready --for objects",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := declared.Skeleton(kind, args[0])
			if err != nil {
				return usageError("triage rules new stuck-upload --for dump", "%w", err)
			}
			for _, f := range files {
				if _, err := os.Lstat(f.Name); !errors.Is(err, fs.ErrNotExist) {
					return usageError("choose another name, or remove the file", "%s already exists", f.Name)
				}
			}
			for _, f := range files {
				if err := writeNew(f.Name, f.Data); err != nil {
					return err
				}
				fmt.Fprintln(std.Out, "wrote "+f.Name)
			}
			_, err = fmt.Fprintln(std.Out, "next: triage rules test "+files[0].Name)
			return err
		},
	}
	oneOf(cmd, &kind, "for", "", "the `EVIDENCE` that the rule looks at: ", declared.SkeletonKinds())
	return cmd
}

// writeNew writes a file that is not there; one that comes meanwhile stays.
func writeNew(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return &failure{exitUsage, fmt.Errorf("writing a new rule: %w", err), disk.Hint(err)}
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return &failure{exitUsage, fmt.Errorf("writing %s: %w", name, err), disk.Hint(err)}
	}
	return nil
}

func newRulesTest(std Std, code *int) *cobra.Command {
	return &cobra.Command{
		Use:   "test FILE...",
		Short: "run the fixtures of rule files, and list what looks wrong",
		Long: `Run the fixtures of each rule file: FILE.txtar and FILE-near*.txtar next to it, and those that it lists
under "fixtures".

A fixture is a txtar archive. It contains a comment on the situation, inputs, and a file "want" with one expected
finding per line: a rule's id, severity/confidence, and words from the object, the culprit's file:line or the title. If
the comment says "near miss of ID", that rule must not fire.

triage also lists what works but looks wrong: conditions that never hold, texts that are too long, rules without a
fixture or without a near miss. The exit status is 1 if the findings differ from those in "want", or if anything looks
wrong.`,
		Example: "  triage rules test acme.yaml",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range args {
				results, doubts, err := triage.TestRules(cmd.Context(), file)
				if err != nil {
					return &failure{exitUsage, err, ""}
				}
				if !printFixtures(std.Out, file, results) {
					*code = exitFindings
				}
				for _, d := range doubts {
					for line := range strings.SplitSeq(d.Error(), "\n") {
						fmt.Fprintln(std.Out, report.Escape(line))
					}
					*code = exitFindings
				}
			}
			return nil
		},
	}
}

// printFixtures writes what the rules of a file found in its fixtures, and reports whether all is as wanted.
func printFixtures(w io.Writer, file string, results []triage.FixtureResult) bool {
	say := func(format string, args ...any) { fmt.Fprintln(w, report.Escape(fmt.Sprintf(format, args...))) }
	list := func(what string, lines []string) {
		for _, line := range lines {
			say("        %s%s", what, line)
		}
	}
	say("%s", file)
	failed := 0
	for i := range results {
		r := &results[i]
		if r.OK() {
			say("  ok    %s", r.Name)
			if list("", r.Found); len(r.Found) == 0 {
				near := strings.Join(r.NearMiss, ", ")
				say("        nothing fires%s", phrase.OnlyIf(near != "", ": a near miss of "+near))
			}
			continue
		}
		failed++
		say("  FAIL  %s", r.Name)
		if r.Err != nil {
			say("        %v", r.Err)
		}
		list("expected, not found: ", r.Missing)
		list("found, not expected: ", r.Surplus)
		for _, s := range r.Skipped {
			say("        not read: %s", s.Reason)
		}
	}
	if len(results) == 0 {
		say("  FAIL  the file has no fixtures: put a FILE.txtar and a FILE-near.txtar next to it")
		return false
	}
	say("  %s, %d failed", phrase.Count(len(results), "fixture"), failed)
	return failed == 0
}
