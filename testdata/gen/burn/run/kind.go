// Package run is what the programs of this folder have in common: a loop that hands keys to a reconciler, a server with
// clients, other work beside the guilty one, helper processes, and the capture of a profile.
package run

import (
	"fmt"
	"io"
	"net"
	"strings"
)

// A Kind is one program: a service that does one thing wrong, or nothing.
type Kind struct {
	Name     string
	Profile  string // cpu, heap, allocs, mutex, block, goroutine
	Topic    string // what is wrong, in free words
	Guilty   string // regular expression for the functions that take the share, "" where there is none
	Culprit  string // the program's own function that asks for it, as the profile names it, or several; "" where nobody is guilty
	Category string
	Hidden   bool // the culprit is not to be expected in the profile: its work runs on stacks of the runtime
	Idle     bool // the profile ends by the clock, not by CPU time
	Lean     bool // nothing is kept beside: for what is about the collector
	Shots    int  // snapshots taken one after the other, 0 for one
	// Start prepares the work and registers it with s. What it does itself is not in a CPU profile.
	Start func(s *Service) error
}

// A Peer is a process beside the one that is profiled: the other end of a connection.
type Peer func(l net.Listener) error

// Own is a function of an internal package of this module by its full name: Own("certs", "(*Issuer).Issue"). Several are separated by |.
func Own(pkg, functions string) string {
	names := strings.Split(functions, "|")
	for i := range names {
		names[i] = "example.com/fixtures/burn/internal/" + pkg + "." + names[i]
	}
	return strings.Join(names, "|")
}

// List writes the kinds as a table, tab separated: name, profile, topic, guilty, culprit, category, flags.
func List(w io.Writer, kinds []Kind) {
	dash := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	for _, k := range kinds {
		flags := []string{}
		if k.Hidden {
			flags = append(flags, "hidden")
		}
		if k.Shots > 1 {
			flags = append(flags, fmt.Sprintf("shots=%d", k.Shots))
		}
		fmt.Fprintln(w, strings.Join([]string{
			k.Name, k.Profile, k.Topic, dash(k.Guilty), dash(k.Culprit), k.Category, dash(strings.Join(flags, ",")),
		}, "\t"))
	}
}
