package main

import (
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/mcp"
)

const mcpLong = `triage mcp answers an agent's questions over stdin and stdout, using the Model Context Protocol. Its
seven tools are read-only: analyze, finding, groups, blockers, lines, compare and explain. They open only files below
--dir, and follow no symbolic link out of it. Answers of 25,000 tokens or more come in pages. Text from the inputs is
marked as untrusted.`

const mcpExample = `  triage mcp --dir /var/log/pods
  triage mcp --dir ~/incidents`

func newMCP(std Std) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "mcp --dir DIR",
		Short:   "answer an agent's questions over the Model Context Protocol",
		Long:    mcpLong,
		Example: mcpExample,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return usageError("triage mcp --dir FOLDER", "--dir is missing: the folder that the agent may read")
			}
			book, err := loadRules(cmd)
			if err != nil {
				return err
			}
			stdio := &sdk.IOTransport{Reader: io.NopCloser(std.In), Writer: writeCloser{std.Out}}
			return mcp.Serve(cmd.Context(), stdio, mcp.Options{
				Dir: dir, Version: version(), Book: &book,
			})
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the `FOLDER` that contains the inputs")
	return cmd
}

// A writeCloser is a writer that stays open.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }
