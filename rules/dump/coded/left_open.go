package coded

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// A shortage is what a dump shows of results that are not given back, and how that is said. The goroutines are the
// library's own, or those that wait for what others keep.
type shortage struct {
	resources []gocode.Resource
	severity  rules.Severity
	// of returns the buckets that show it, and how many results or waiters these are; 0 for no shortage.
	of       func(d *rules.DumpInput) ([]*stackparse.Bucket, int)
	act, why string // %s is the number
	fix      string // %[1]s is the call's place, %[2]s the variable of its result, %[3]s the method to defer
}

// Thresholds. minUnread is that of rules/dump/wait for bodies that nobody reads. A shared Transport keeps two idle
// connections to a host, and a hundred in all (net/http.DefaultMaxIdleConnsPerHost, DefaultTransport): minIdle is
// chosen. So is manyAsking, for goroutines that wait for a connection of a database in a form without minutes.
const (
	minUnread  = 10
	minIdle    = 20
	manyAsking = 10
)

var shortages = [...]shortage{
	{[]gocode.Resource{gocode.Response}, rules.Medium, unreadBodies,
		"leaves response bodies open: %s",
		"%s wait for the end of a response body that nobody reads.",
		"Close the body on every path: defer %[2]s.Body.Close() right after the error check for the call at %[1]s."},
	{[]gocode.Resource{gocode.OwnTransport}, rules.Medium, idleConnections,
		"makes a Transport for each request: %s",
		"%s of net/http clients are idle.",
		"Make one http.Client for all requests, outside the function that makes the call at %[1]s."},
	{[]gocode.Resource{gocode.Rows, gocode.Tx, gocode.Conn}, rules.High, askingForDatabase,
		"keeps a database connection: %s",
		"%s for a connection from the database pool.",
		"Give the connection back on every path: defer %[2]s.%[3]s() right after the error check for the call at " +
			"%[1]s."},
}

// left names what a call leaves open, by resource.
var left = map[gocode.Resource]string{
	gocode.Response: "the response body", gocode.Rows: "the rows", gocode.Tx: "the transaction",
	gocode.Conn: "the connection",
}

// A leaving is a call of the program that leaves its result open.
type leaving struct {
	gocode.Opening
	unit gocode.Unit
}

// leftOpen is left-open-by-source (TR468).
func leftOpen(d *rules.DumpInput, code *gocode.Reader) (found []rules.Finding) {
	var all []leaving
	read := false
	for i := range shortages {
		s := &shortages[i]
		buckets, n := s.of(d)
		if n == 0 {
			continue
		}
		if !read {
			all, read = leavings(code), true
		}
		mine := slices.DeleteFunc(slices.Clone(all), func(l leaving) bool {
			return !slices.Contains(s.resources, l.Resource)
		})
		if len(mine) > 0 {
			found = append(found, s.finding(d, mine, buckets, n))
		}
	}
	return found
}

// leavings are the calls of the program that leave their results open, in order of its packages.
func leavings(code *gocode.Reader) (all []leaving) {
	for _, u := range code.Program() {
		for _, o := range u.Openings() {
			all = append(all, leaving{o, u})
		}
	}
	return all
}

// finding names the first of the calls.
func (s *shortage) finding(d *rules.DumpInput, all []leaving, buckets []*stackparse.Bucket, n int) rules.Finding {
	first := &all[0]
	at := first.place()
	number := phrase.Count(n, "connection")
	if first.Resource >= gocode.Rows && first.Resource <= gocode.Conn {
		number = phrase.Count(n, "goroutine") + " wait" + phrase.OnlyIf(n == 1, "s")
	}
	f := rules.Finding{Culprit: at, Count: n, Severity: s.severity, Confidence: rules.ConfHigh,
		Title: title(at, fmt.Sprintf(s.act, number)), Why: fmt.Sprintf(s.why, number) + " " + first.shows(),
		Fix:  fmt.Sprintf(s.fix, rules.PlaceLine(at), first.Name, first.Release),
		Next: []rules.Step{d.StepTarget().SecondDump()}}
	if len(all) > 1 {
		f.Confidence, f.Notes = rules.ConfMedium, []string{others(all[1:])}
	}
	for _, b := range buckets[:min(len(buckets), shownStacks)] {
		f.Evidence = append(f.Evidence, rules.EvidenceOf(d, b, ""))
	}
	return f
}

// shows is a sentence about what the source shows.
func (l *leaving) shows() string {
	if l.Resource == gocode.OwnTransport {
		return "The code makes a new Transport for this call, and that Transport keeps its connection afterwards."
	}
	if l.Leaves.IsValid() {
		_, line := l.unit.Place(l.Leaves)
		return fmt.Sprintf("The code returns at line %d without releasing %s of this call.", line,
			left[l.Resource])
	}
	return fmt.Sprintf("The code never releases %s of this call.", left[l.Resource])
}

// place is where a result is left open, as the runtime names its function.
func (l *leaving) place() rules.Place {
	file, line := l.unit.Place(l.At)
	return rules.Place{Function: l.unit.Path + "." + runtimeName(l.Decl), Package: l.unit.Path,
		File: l.unit.Dir + path.Base(file), Line: line}
}

// maxOthers bounds the other calls that are named.
const maxOthers = 3

// others says that the dump does not show which of several calls it was, and names the others.
func others(all []leaving) string {
	var parts []string
	for i := range all[:min(len(all), maxOthers)] {
		parts = append(parts, rules.PlaceText(all[i].place()))
	}
	if n := len(all) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("%d more", n))
	}
	return "The source has other such calls, and the dump does not show which of them left these open: " +
		strings.Join(parts, "; ") + "."
}

// selecting are the buckets whose goroutines wait in a select of a function itself, and how many goroutines these are.
func selecting(d *rules.DumpInput, function string) (found []*stackparse.Bucket, n int) {
	for _, b := range d.Buckets {
		k := slices.IndexFunc(b.Frames, func(f stackparse.Frame) bool { return !symbol.WaitsForOthers(f.Func) })
		if b.Class == stackparse.ClassSelect && k >= 0 && b.Frames[k].Func == function {
			found, n = append(found, b), n+b.Count
		}
	}
	return found, n
}

// unreadBodies are the connections of clients that wait until a body has been read, but for those whose body a
// goroutine reads. Between two requests a connection waits in Peek instead.
func unreadBodies(d *rules.DumpInput) ([]*stackparse.Bucket, int) {
	buckets, n := selecting(d, "net/http.(*persistConn).readLoop")
	for _, b := range d.Buckets {
		if calls(b, "net/http.(*bodyEOFSignal).Read") {
			n -= b.Count
		}
	}
	if n < minUnread {
		return nil, 0
	}
	return buckets, n
}

// idleConnections are the connections of clients on which nothing is written, but for those whose body isn't read yet.
func idleConnections(d *rules.DumpInput) ([]*stackparse.Bucket, int) {
	buckets, n := selecting(d, "net/http.(*persistConn).writeLoop")
	_, busy := selecting(d, "net/http.(*persistConn).readLoop")
	if n -= busy; n < minIdle {
		return nil, 0
	}
	return buckets, n
}

// askingForDatabase are the goroutines that wait for a connection of a database/sql pool: for a minute, or many. There
// are none while a goroutine uses a connection, since the pool may be busy then.
func askingForDatabase(d *rules.DumpInput) ([]*stackparse.Bucket, int) {
	buckets, n := selecting(d, "database/sql.(*DB).conn")
	if slices.ContainsFunc(d.Buckets, usesDatabase) {
		return nil, 0
	}
	long := slices.ContainsFunc(buckets, func(b *stackparse.Bucket) bool { return b.MaxMinutes > 0 })
	if !long && n < manyAsking {
		return nil, 0
	}
	return buckets, n
}

// usesDatabase reports whether goroutines of the program are in database/sql, and have a connection.
func usesDatabase(b *stackparse.Bucket) bool {
	inSQL := func(f stackparse.Frame) bool { return strings.HasPrefix(f.Func, "database/sql.") }
	n := len(b.Frames)
	return slices.ContainsFunc(b.Frames, inSQL) && !inSQL(b.Frames[n-1]) && !calls(b, "database/sql.(*DB).conn")
}
