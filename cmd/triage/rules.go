package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// A ruleFilter chooses rules; what is empty chooses all.
type ruleFilter struct {
	category, needs string
	words           []string // all of them are in the rule's id, name or text
}

func newRules(std Std, code *int) *cobra.Command {
	var filter ruleFilter
	var format string
	cmd := &cobra.Command{
		Use:   "rules [TEXT...]",
		Short: "list the rules, or make and test rules of your own",
		Long: `List every rule with its id, its name and the highest severity of its findings, and the roles of
goroutines that do what they should. TEXT limits the list to rules and roles whose name or documentation contains it. If
TEXT is the name of a command, write "--" before it. "triage explain ID" prints everything about one rule.`,
		Example: `  triage rules
  triage rules --category leak channel
  triage rules --needs profile -o json
  triage rules -- test
  triage rules new certificate-not-ready --for objects`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			filter.words = args
			return listRules(cmd, std, filter, format, true)
		},
	}
	fl := cmd.Flags()
	oneOf(cmd, &filter.category, "category", "", "only rules of this `CATEGORY`: ", categoryNames())
	fl.StringVar(&filter.needs, "needs", "", "only rules that need evidence whose name contains `TEXT`: dump, "+
		"profile, log, audit")
	outputFlag(cmd, &format, "the list")
	cmd.AddCommand(newRulesNew(std), newRulesTest(std, code))
	return cmd
}

// outputFlag adds -o to a command that writes text or JSON.
func outputFlag(cmd *cobra.Command, format *string, what string) {
	*format = "text"
	oneOf(cmd, format, "output", "o", "write "+what+" as `FORMAT`: ", []string{"text", "json"})
}

func categoryNames() []string {
	var names []string
	for _, c := range rules.Categories() {
		names = append(names, string(c))
	}
	return names
}

// listRules writes the rules that the filter chooses, and the roles where asked.
func listRules(cmd *cobra.Command, std Std, filter ruleFilter, format string, withRoles bool) error {
	book, err := loadRules(cmd)
	if err != nil {
		return err
	}
	set := slices.DeleteFunc(slices.Clone(book.Rules), func(r *rules.Rule) bool { return !filter.rule(r) })
	var roles []rules.Role
	for _, r := range book.Roles.Roles() {
		if withRoles && filter.role(r) {
			roles = append(roles, *r)
		}
	}
	switch {
	case len(set) == 0 && len(roles) == 0:
		return usageError("triage rules lists all", "no rule or role matches")
	case format == "json":
		return report.RulesJSON(std.Out, set, roles)
	}
	return report.Rules(std.Out, set, roles, plainText(std))
}

func (f *ruleFilter) rule(r *rules.Rule) bool {
	needs, doc := r.Needs.String(), r.Doc()
	return (f.category == "" || string(r.Category) == f.category) && contains(needs, f.needs) &&
		f.matches(r.ID, r.Name, string(r.Category), needs, doc.Title, doc.Why, doc.Fix, doc.FalsePositives)
}

// role reports whether the filter chooses a role: one has no category and no evidence of its own.
func (f *ruleFilter) role(r *rules.Role) bool {
	return f.category == "" && f.needs == "" && f.matches(r.Name, r.Doc)
}

func (f *ruleFilter) matches(texts ...string) bool {
	text := strings.Join(texts, "\n")
	return !slices.ContainsFunc(f.words, func(word string) bool { return !contains(text, word) })
}

// contains reports whether text contains part, in capitals or not.
func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// loadRules reads the built-in rules, those of the files named by --rules and those of the team's config.
func loadRules(cmd *cobra.Command) (triage.RuleBook, error) {
	var f analyzeFlags
	f.sharedFlags(cmd)
	team, err := loadConfig(f.config, f.noConfig)
	if err != nil {
		return triage.RuleBook{}, err
	}
	book, err := triage.LoadBook(f.Rules, team)
	if err != nil {
		return triage.RuleBook{}, &failure{exitUsage, err, ""}
	}
	return book, nil
}

// plainText are the text options of commands without flags of their own for them.
func plainText(std Std) report.TextOptions {
	columns, _ := sizeOfTerminal(std.Out)
	return report.TextOptions{
		Width: columns, Color: isColored(colorAuto, std.Out, std.Getenv),
		ASCII: isTerminal(std.Out) && plainLocale(std.Getenv),
	}
}

func newExplain(std Std) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "explain [RULE]",
		Short: "print what a rule finds, the reason, the fix and the false positives",
		Long: `Print what a rule finds, why that is a fault, the fix, its false positives and links for further reading.
RULE is an id or a name; without one, the rules are listed.`,
		Example: "  triage explain TR101\n  triage explain busy-wait",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listRules(cmd, std, ruleFilter{}, format, false)
			}
			book, err := loadRules(cmd)
			if err != nil {
				return err
			}
			rule := rules.Find(book.Rules, args[0])
			if rule == nil {
				return unknownRule(book.Rules, args[0])
			}
			if format == "json" {
				return report.RulesJSON(std.Out, []*rules.Rule{rule}, nil)
			}
			return report.Explain(std.Out, rule, plainText(std))
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			book, err := loadRules(cmd)
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			var ids []string
			for _, r := range book.Rules {
				ids = append(ids, cobra.CompletionWithDesc(r.ID, r.Name),
					cobra.CompletionWithDesc(r.Name, r.Doc().Title))
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	outputFlag(cmd, &format, "it")
	return cmd
}

// unknownRule is the error for a rule that there isn't.
func unknownRule(set []*rules.Rule, name string) error {
	var names []string
	for _, r := range set {
		names = append(names, r.Name)
	}
	hint := "triage rules lists them"
	if near := closestWord(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return usageError(hint, "no rule has the id or name %q", name)
}
