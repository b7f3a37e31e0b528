package main

import (
	"io"
	"strings"
	"testing"
)

func TestACommandIsMadeWhereItsNameOrHelpIsAskedFor(t *testing.T) {
	std := Std{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }}
	root := newRoot(std, new(int), true)
	for _, c := range subcommands {
		found, _, err := root.Find([]string{c.name})
		if err != nil || found.Name() != c.name {
			t.Errorf("%s is named %s: %v", c.name, found.Name(), err)
		}
	}
	if n := len(root.Commands()); n != len(subcommands) {
		t.Errorf("%d commands of %d", n, len(subcommands))
	}
	for line, calls := range map[string]bool{
		"diff a b": true, "--rules f.yaml explain TR101": true, "-h": true, "-ah": true, "--help=true": true, "help": true,
		"completion bash": true, "__complete fe": true, "a.txt version": true,
		"": false, "dump.txt": false, "--all -": false, "./diff": false, "-o json=report.json a.zip": false, "--version": false,
	} {
		if got := callsCommand(strings.Fields(line)); got != calls {
			t.Errorf("%q: %t", line, got)
		}
	}
}
