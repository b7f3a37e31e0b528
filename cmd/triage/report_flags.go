package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// outputFlag adds -o to a command that writes reports; what is what the command calls them.
func (f *analyzeFlags) outputFlag(cmd *cobra.Command, what string) {
	cmd.Flags().StringArrayVarP(&f.formats, "output", "o", nil, "write the "+what+" as `FORMAT` ("+
		strings.Join(formatNames(), ", ")+"), or as FORMAT=FILE besides the one on stdout; repeatable")
	complete(cmd, "output", formatNames())
}

// failOnFlag adds --fail-on; what are the findings that count.
func (f *analyzeFlags) failOnFlag(cmd *cobra.Command, what string) {
	cmd.Flags().Var(&f.failOn, "fail-on", "exit 1 on "+what+" of this `SEVERITY` or worse: "+
		strings.Join(severityNames(), ", "))
	complete(cmd, "fail-on", severityNames())
}

// placeFlags adds the flags that leave out what is of other pods.
func (f *analyzeFlags) placeFlags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.namespace, "namespace", "n", "", "leave out inputs that are known to be of another `NAMESPACE`")
	fl.StringVar(&f.pod, "pod", "", "leave out inputs that are known to be of another `POD`")
	fl.StringVar(&f.container, "container", "", "leave out inputs that are known to be of another `CONTAINER`")
}

// textFlags adds the flags for how text looks; what is the text's name.
func (f *analyzeFlags) textFlags(cmd *cobra.Command, what string) {
	fl := cmd.Flags()
	fl.Var(&f.color, "color", "colours: `WHEN` is "+
		strings.Join(colorNames(), ", ")+"; NO_COLOR and TERM=dumb turn auto off, CLICOLOR_FORCE on")
	fl.IntVar(&f.width, "width", 0, "`COLUMNS` of the "+what+" (default the terminal's, 100 for a file or pipe)")
	fl.BoolVar(&f.ascii, "ascii", false, "no character beyond ASCII in the "+what)
	complete(cmd, "color", colorNames())
}

// readRules takes over --rules, which belongs to the command above.
func (f *analyzeFlags) readRules(cmd *cobra.Command) error {
	files, err := cmd.Flags().GetStringArray("rules")
	if err == nil {
		f.rules = files
	}
	return err
}
