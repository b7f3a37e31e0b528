// Command pages writes what a release ships beside the binary:
//
//	go run ./pages TRIAGE OUT
//
// TRIAGE is a binary for this machine. OUT gets its manual pages (man/), made from the help of each command, and its
// shell completions (completions/). The same binary gives the same bytes.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pages TRIAGE OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

func run(triage, out string) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	for _, dir := range []string{"man", "completions"} {
		if err := os.MkdirAll(filepath.Join(out, dir), 0o755); err != nil {
			return err
		}
	}
	return errors.Join(manuals(triage, out), completions(triage, out))
}

// output is what triage prints for arguments, without the colours and settings of who builds.
func output(triage string, args ...string) ([]byte, error) {
	cmd := exec.Command(triage, args...)
	cmd.Env = []string{"HOME=/nonexistent"}
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", triage, strings.Join(args, " "), err)
	}
	return text, nil
}

// manuals writes triage.1 and a triage-COMMAND.1 for each command, plain and compressed.
func manuals(triage, out string) error {
	text, err := output(triage, "--help")
	if err != nil {
		return err
	}
	root := parseHelp(string(text))
	pages := map[string]string{"triage": root.manual("triage", root.commands)}
	for _, c := range root.commands {
		if c.name == "help" {
			continue
		}
		text, err := output(triage, c.name, "--help")
		if err != nil {
			return err
		}
		h := parseHelp(string(text))
		h.short = c.text
		pages["triage-"+c.name] = h.manual("triage-"+c.name, []entry{{name: "triage"}})
	}
	for name, page := range pages {
		var packed bytes.Buffer
		zw := gzip.NewWriter(&packed) // without a name and a time
		if _, err := zw.Write([]byte(page)); err != nil {
			return err
		}
		if err := zw.Close(); err != nil {
			return err
		}
		file := filepath.Join(out, "man", name+".1")
		if err := errors.Join(os.WriteFile(file, []byte(page), 0o644),
			os.WriteFile(file+".gz", packed.Bytes(), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

func completions(triage, out string) error {
	for shell, file := range map[string]string{"bash": "triage.bash", "zsh": "_triage", "fish": "triage.fish"} {
		text, err := output(triage, "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, "completions", file), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
