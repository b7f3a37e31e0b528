package main

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

func newRules(std Std) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "list the rules and the roles of goroutines",
		Long: `List every rule with its id, name and the most severe finding that it makes, and the roles by which goroutines that
are where they should be are told. "triage explain ID" prints all about one rule.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			book, err := loadRules(cmd)
			if err != nil {
				return err
			}
			if asJSON {
				return rulesJSON(std.Out, book.Rules)
			}
			var roles []rules.Role
			for _, r := range book.Roles.Roles() {
				roles = append(roles, *r)
			}
			return report.Rules(std.Out, book.Rules, roles, plainText(std))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// loadRules reads the built-in rules and those of the files named by --rules.
func loadRules(cmd *cobra.Command) (triage.RuleBook, error) {
	files, err := cmd.Flags().GetStringArray("rules")
	if err != nil {
		return triage.RuleBook{}, err
	}
	book, err := triage.LoadRules(files)
	if err != nil {
		return triage.RuleBook{}, &failure{exitUsage, err, ""}
	}
	return book, nil
}

// plainText are the text options of commands without flags of their own for them.
func plainText(std Std) report.TextOptions {
	return report.TextOptions{
		Width: widthOf(std.Out), Color: colorAuto.paints(std.Out, std.Getenv),
		ASCII: isTerminal(std.Out) && plainLocale(std.Getenv),
	}
}

// A ruleRow is one rule of `triage rules --json`.
type ruleRow struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	Category       rules.Category `json:"category"`
	Severity       rules.Severity `json:"severity"`
	Needs          string         `json:"needs"`
	Title          string         `json:"title"`
	Why            string         `json:"why"`
	Fix            string         `json:"fix"`
	FalsePositives string         `json:"false_positives"`
	Refs           []string       `json:"refs"`
}

func rulesJSON(w io.Writer, set []*rules.Rule) error {
	rows := make([]ruleRow, 0, len(set))
	for _, r := range set {
		rows = append(rows, ruleRow{
			ID: r.ID, Name: r.Name, Category: r.Category, Severity: r.Severity, Needs: r.Needs.String(),
			Title: r.Doc.Title, Why: r.Doc.Why, Fix: r.Doc.Fix, FalsePositives: r.Doc.FalsePositives,
			Refs: append([]string{}, r.Doc.Refs...),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"rules": rows})
}

func newExplain(std Std) *cobra.Command {
	return &cobra.Command{
		Use:     "explain RULE",
		Short:   "print what a rule finds, why, what to do and when it is wrong",
		Example: "  triage explain TR101",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			book, err := loadRules(cmd)
			if err != nil {
				return err
			}
			rule := rules.Find(book.Rules, args[0])
			if rule == nil {
				return usage("triage rules lists them", "no rule has the id or name %q", args[0])
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
				ids = append(ids, cobra.CompletionWithDesc(r.ID, r.Name), cobra.CompletionWithDesc(r.Name, r.Doc.Title))
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
