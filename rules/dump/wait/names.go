package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
)

// A name is a function's name taken apart.
type name struct {
	symbol.Name
	typ string // of a method, of a closure of one too: with its package; "" for plain functions
}

func (s *scene) name(fn string) name {
	n, ok := s.names[fn]
	if !ok {
		n.Name = symbol.ParseName(fn)
		if n.Receiver != "" {
			n.typ = n.Package + "." + n.Receiver
		}
		s.names[fn] = n
	}
	return n
}

// maxNames bounds the names that a rule keeps for the next dump. Chosen: a hundred times as many functions as are on
// the stacks of the largest real dump at hand (148).
const maxNames = 1 << 14

// typeOf names the type of a method, of a closure of one too; "" for plain functions.
func (s *scene) typeOf(fn string) string { return s.name(fn).typ }

// enclosing is the declared function that a function is, or is a closure of.
func (s *scene) enclosing(fn string) string {
	n := s.name(fn)
	if n.Receiver != "" {
		return n.Package + "." + n.Receiver + "." + n.Func
	}
	return n.Package + "." + n.Func
}

// wrapsGo reports whether a function is the compiler's wrapper of a go statement with arguments.
func (s *scene) wrapsGo(fn string) bool { return strings.HasPrefix(s.name(fn).Closure, "gowrap") }

// stopNames are words in the names of functions that end something: who calls them means the other side to end too.
var stopNames = [...]string{"stop", "close", "shutdown", "quit", "terminate", "cancel", "halt", "kill", "finish",
	"exit", "drain", "unsub", "unregister", "deregister", "teardown", "dispose", "destroy", "release", "abort",
	"disconnect"}

// stops reports whether a function's name states that it ends something.
func (s *scene) stops(fn string) bool { return s.begins(fn, stopNames[:]) }

// begins reports whether a function's name begins with one of some words.
func (s *scene) begins(fn string, words []string) bool { return beginsWithAny(s.name(fn).Func, words) }

// named reports whether one of some words is in a function's name, or in that of the function that it is a closure of.
func (s *scene) named(fn string, words []string) bool { return containsAny(s.name(fn).Func, words) }

// typeNamed reports whether a function is a method of a type that has one of some words in its name.
func (s *scene) typeNamed(fn string, words []string) bool {
	return containsAny(s.name(fn).Receiver, words)
}

// beginsWithAny reports whether a name, in capitals or not, begins with one of the words, which are lower case.
func beginsWithAny(name string, words []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(name, word) })
}

// containsAny reports whether a name, in capitals or not, has one of the words, which are lower case, in it.
func containsAny(name string, words []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}
