package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gotriage/triage/triage/config"
)

// envPrefix begins the environment variables that stand for flags: TRIAGE_FAIL_ON is --fail-on.
const envPrefix = "TRIAGE_"

// envName is the environment variable that sets a flag's value.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// A wordFlag is a flag whose value must be one of a list of words.
type wordFlag struct {
	to    *string
	words []string
}

func (c wordFlag) String() string {
	if c.to == nil {
		return ""
	}
	return *c.to
}

func (c wordFlag) Type() string { return "word" }

func (c wordFlag) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("must be one of %s", strings.Join(c.words, ", "))
	}
	*c.to = s
	return nil
}

// oneOf adds a flag whose value is one of the words, which shells complete and the usage ends with.
func oneOf(cmd *cobra.Command, to *string, name, short, usage string, words []string) {
	cmd.Flags().VarP(wordFlag{to, words}, name, short, usage+strings.Join(words, ", "))
	complete(cmd, name, words)
}

// sharedFlags takes over the flags of the root command for rules and the team's config.
func (f *analyzeFlags) sharedFlags(c *cobra.Command) {
	f.Rules = c.Flag("rules").Value.(pflag.SliceValue).GetSlice()
	f.config, f.noConfig = c.Flag("config").Value.String(), c.Flag("no-config").Value.String() == "true"
}

// loadConfig reads the team's config: the file, or else the one that is found from the working folder up, unless none
// is wanted; nil without one.
func loadConfig(file string, none bool) (*config.Config, error) {
	hint, found := "", file == "" && !none
	switch {
	case found:
		file, hint = config.Find(), "--no-config reads none"
	case none && file != "":
		return nil, usageError("", "both --config and --no-config")
	}
	if file == "" {
		return nil, nil
	}
	team, err := config.Load(file, found, time.Now())
	if err != nil {
		return nil, &failure{exitUsage, err, hint}
	}
	return team, nil
}

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
		if near := closestWord(unknown.GetSpecifiedName(), names); near != "" {
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
		return fmt.Errorf("%s %q: not true or false", name, bad.GetValue())
	}
	return fmt.Errorf("%s %q: not a whole number", name, bad.GetValue())
}

// closestWord is the name that word most likely means, "" where none is near: by cobra's distance, at most two letters.
func closestWord(word string, names []string) string {
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
	return closestWord(word, names)
}
