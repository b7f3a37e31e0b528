package main

import (
	"github.com/spf13/cobra"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
)

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
