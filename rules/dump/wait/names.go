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

// names are the functions that a rule has taken apart, in the dumps of one run.
type names map[string]name

func (all names) name(fn string) name {
	n, ok := all[fn]
	if !ok {
		n.Name = symbol.ParseName(fn)
		if n.Receiver != "" {
			n.typ = n.Package + "." + n.Receiver
		}
		all[fn] = n
	}
	return n
}

// maxNames bounds the names that a rule keeps for the next dump. Chosen: far more functions than are on the stacks of
// any real dump at hand (148; 233 in a goroutine profile that counts).
const maxNames = 1 << 14

// typeOf names the type of a method, of a closure of one too; "" for plain functions.
func (all names) typeOf(fn string) string { return all.name(fn).typ }

// enclosing is the declared function that a function is, or is a closure of.
func (all names) enclosing(fn string) string {
	n := all.name(fn)
	if n.Receiver != "" {
		return n.Package + "." + n.Receiver + "." + n.Func
	}
	return n.Package + "." + n.Func
}

// servesRequest reports whether a goroutine that begins in a function serves a request of a client.
func servesRequest(root string) bool {
	switch root {
	case "net/http.(*conn).serve", "net/http.(*http2serverConn).runHandler",
		"golang.org/x/net/http2.(*serverConn).runHandler":
		return true
	default:
		return symbol.PlainPackage(root) == "google.golang.org/grpc" || symbol.PlainPackage(root) == "net/rpc"
	}
}

// stopNames are words in the names of functions that end something: who calls them means the other side to end too.
var stopNames = [...]string{"stop", "close", "shutdown", "quit", "terminate", "cancel", "halt", "kill", "finish",
	"exit", "drain", "unsub", "unregister", "deregister", "teardown", "dispose", "destroy", "release", "abort",
	"disconnect"}

// stops reports whether a function's name states that it ends something.
func (all names) stops(fn string) bool { return all.begins(fn, stopNames[:]) }

// begins reports whether a function's name begins with one of some words.
func (all names) begins(fn string, words []string) bool {
	return beginsWithAny(all.name(fn).Func, words)
}

// named reports whether one of some words is in a function's name, or in that of the function that it is a closure of.
func (all names) named(fn string, words []string) bool { return containsAny(all.name(fn).Func, words) }

// typeNamed reports whether a function is a method of a type that has one of some words in its name.
func (all names) typeNamed(fn string, words []string) bool {
	return containsAny(all.name(fn).Receiver, words)
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
