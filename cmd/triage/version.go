package main

import (
	_ "embed"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// notices are the licenses of the modules in the binary.
//
//go:embed THIRD_PARTY_NOTICES.txt
var notices string

func newVersion(std Std) *cobra.Command {
	licenses := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version, the commit and the Go release of this build",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text := versionLine()
			if licenses {
				text = notices
			}
			_, err := io.WriteString(std.Out, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&licenses, "licenses", false, "print the licenses of the modules in the binary instead")
	return cmd
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
