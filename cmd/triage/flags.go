package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// envPrefix begins the environment variables that stand for flags: TRIAGE_FAIL_ON is --fail-on.
const envPrefix = "TRIAGE_"

// envName is the environment variable that sets a flag's value.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// A listFlag is a flag that may be repeated. pflag's own lists write themselves as CSV where they are declared, each
// through a buffer of 4 KiB: 30 pages of memory in every start.
type listFlag struct {
	values *[]string
	commas bool // a value is CSV
}

// repeated is a flag with a value each time it is given.
func repeated(values *[]string) *listFlag { return &listFlag{values, false} }

// commaList is one for values that may be written as one, with commas between them.
func commaList(values *[]string) *listFlag { return &listFlag{values, true} }

func (l *listFlag) Set(value string) error {
	more := []string{value}
	if l.commas {
		var err error
		if more, err = csv.NewReader(strings.NewReader(value)).Read(); err != nil && value != "" {
			return err
		}
	}
	return l.Replace(append(*l.values, more...))
}

func (l *listFlag) String() string { return strings.Join(*l.values, ",") }

// Type is as pflag has it: cobra completes a flag of these names again.
func (l *listFlag) Type() string {
	if l.commas {
		return "stringSlice"
	}
	return "stringArray"
}

// Append, Replace and GetSlice make a listFlag a pflag.SliceValue.

func (l *listFlag) Append(value string) error { return l.Replace(append(*l.values, value)) }

func (l *listFlag) Replace(values []string) error {
	*l.values = values
	return nil
}

func (l *listFlag) GetSlice() []string { return *l.values }

// ruleFiles are the values of --rules, a flag of the root command that its commands share.
func ruleFiles(c *cobra.Command) []string { return *c.Flag("rules").Value.(*listFlag).values }

// flagsFromEnv sets the flags that the command line leaves out from the environment. Of a flag that may be repeated
// each line of the variable is one value.
func flagsFromEnv(c *cobra.Command, getenv func(string) string) error {
	var errs []error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		value := getenv(envName(f.Name))
		if value == "" || f.Changed || f.Name == "help" || f.Name == "version" {
			return
		}
		values := []string{value}
		if _, repeated := f.Value.(pflag.SliceValue); repeated {
			values = slices.Collect(strings.Lines(value))
		}
		for _, v := range values {
			if err := c.Flags().Set(f.Name, strings.TrimSuffix(v, "\n")); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", envName(f.Name), badValue(err)))
			}
		}
	})
	if len(errs) == 0 {
		return nil
	}
	return &failure{exitUsage, errors.Join(errs...), c.CommandPath() + " --help lists the flags"}
}

// flagFailure is the error of flags that can't be followed, in the words of the command line.
func flagFailure(c *cobra.Command, err error) error {
	hint := c.CommandPath() + " --help lists the flags"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := closest(unknown.GetSpecifiedName(), names); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	return &failure{exitUsage, badValue(err), hint}
}

// badValue rewords an error of a flag's value: strconv's own names the function that parses.
func badValue(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	name := "--" + bad.GetFlag().Name
	var number *strconv.NumError
	switch {
	case !errors.As(err, &number):
		return fmt.Errorf("%s %q: %w", name, bad.GetValue(), bad.Unwrap())
	case errors.Is(number.Err, strconv.ErrRange):
		return fmt.Errorf("%s %q: the number is too large", name, bad.GetValue())
	case bad.GetFlag().Value.Type() == "bool":
		return fmt.Errorf("%s %q: it is true or false", name, bad.GetValue())
	}
	return fmt.Errorf("%s %q: it is a whole number", name, bad.GetValue())
}

// closest is the name that word most likely means, "" where none is near: by cobra's distance, at most two letters.
func closest(word string, names []string) string {
	all := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, name := range names {
		all.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	if near := all.SuggestionsFor(word); len(near) > 0 && len(word) > 2 {
		return near[0]
	}
	return ""
}

// closestCommand is the command that word most likely means, "" where none is near.
func closestCommand(word string) string {
	names := []string{"completion"}
	for i := range subcommands {
		names = append(names, subcommands[i].name)
	}
	return closest(word, names)
}
