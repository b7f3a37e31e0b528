package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/report"
)

// Widths of help in columns: what a terminal that is no terminal gets, and beyond which lines are hard to read.
const (
	plainHelpWidth = 100
	maxHelpWidth   = 120
	minHelpWidth   = 60
)

// helpWidth is the width that help is wrapped to.
func helpWidth(std Std) int {
	w, _ := sizeOfTerminal(std.Out)
	if w == 0 {
		return plainHelpWidth
	}
	return min(max(w, minHelpWidth), maxHelpWidth)
}

// wrapHelp makes the help of root and of its commands fit the width.
func wrapHelp(root *cobra.Command, width int) {
	usages := fmt.Sprintf(".FlagUsagesWrapped %d", width)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", usages))
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		text := c.Long
		if text == "" {
			text = c.Short
		}
		// Cobra's help has no error either: a pipe that is closed ends it.
		_, _ = io.WriteString(c.OutOrStdout(), report.Fill(text, width)+"\n\n"+c.UsageString())
	})
}
