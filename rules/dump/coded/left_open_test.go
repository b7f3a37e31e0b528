package coded

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// A pile is n goroutines of a library with one stack.
func pile(n, first int, state string, frames ...string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "goroutine %d [%s]:\n", first+i, state)
		for _, f := range frames {
			fmt.Fprintf(&b, "%s(0x1)\n\t/usr/local/go/src/x.go:9 +0x1\n", f)
		}
		b.WriteString("created by net/http.(*Transport).dialConn\n\t/usr/local/go/src/net/http/transport.go:9 +0x1\n\n")
	}
	return b.String()
}

const leaving1 = `package main

import ("database/sql"; "net/http")

func forecast(url string) error {
	answer, err := http.Get(url) // @get
	if err != nil { return err }
	println(answer.Status)
	return nil
}

func main() { for { forecast("http://station") } }
`

func TestACallThatLeavesItsResultOpenIsNamedWhereTheDumpShowsThatResultsPileUp(t *testing.T) {
	const (
		read  = "net/http.(*persistConn).readLoop"
		write = "net/http.(*persistConn).writeLoop"
		conn  = "database/sql.(*DB).conn"
		body  = "net/http.(*bodyEOFSignal).Read"
	)
	own := strings.Replace(leaving1, "answer, err := http.Get(url)",
		"c := &http.Client{Transport: &http.Transport{}}\n\tanswer, err := c.Get(url)", 1)
	own = strings.Replace(own, "println(answer.Status)", "answer.Body.Close()", 1)
	closed := strings.Replace(leaving1, "println(answer.Status)", "answer.Body.Close()", 1)
	two := leaving1 + "func again(url string) { http.Get(url) }\n"
	rows := leaving1 + "func stock(db *sql.DB) bool {\n\trows, _ := db.Query(\"select\")\n\treturn rows.Next()\n}\n"
	for _, c := range []struct{ name, source, dump, want string }{
		{"bodies are not read", leaving1, pile(10, 100, "select", read) + pile(10, 200, "select", write),
			"TR468 medium/high main.forecast:6 leaves response bodies open: 10 connections"},
		{"two calls leave bodies open", two, pile(10, 100, "select", read),
			"TR468 medium/medium main.forecast:6 leaves response bodies open: 10 connections"},
		{"each request has a Transport", own, pile(20, 100, "IO wait", "internal/poll.(*FD).Read", "bufio.(*Reader).Peek", read) +
			pile(20, 200, "select", write),
			"TR468 medium/high main.forecast:7 makes a Transport for each request: 20 connections"},
		{"rows are left open", rows, pile(1, 100, "select, 3 minutes", conn),
			"TR468 high/high main.stock:14 keeps a database connection: 1 goroutine waits"},
		// Near misses.
		{"few bodies are not read", leaving1, pile(9, 100, "select", read), ""},
		{"bodies are being read", leaving1, pile(10, 100, "select", read) + pile(3, 200, "select", body), ""},
		{"every body is closed", closed, pile(100, 100, "select", read), ""},
		{"few connections are idle", own, pile(19, 100, "select", write), ""},
		{"connections that are idle say nothing of bodies", leaving1, pile(100, 100, "select", write), ""},
		{"rows are left open, and no connection is missed", rows, pile(9, 100, "select", conn), ""},
		{"a query of another goroutine is under way", rows, pile(40, 100, "select, 3 minutes", conn) +
			pile(1, 200, "IO wait, 3 minutes", "internal/poll.(*FD).Read", "database/sql.(*DB).queryDC", "main.slow"), ""},
	} {
		d := ready(dumptest.ParseDumps([]byte("goroutine 1 [running]:\nmain.main()\n\t/src/shop/main.go:12 +0x1\n\n" + c.dump))[0])
		var got []string
		for _, f := range findingsOf(t, c.source, d) {
			rulestest.CheckFinding(t, &f)
			rulestest.CheckTexts(t, &f)
			got = append(got, fmt.Sprintf("%s %s/%s %s:%d %s", f.Rule, f.Severity, f.Confidence, f.Culprit.Function,
				f.Culprit.Line, act(&f)))
		}
		if text := strings.Join(got, " | "); text != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, text, c.want)
		}
	}
}

// act is the title of a finding without its culprit and place.
func act(f *rules.Finding) string {
	_, text, _ := strings.Cut(f.Title, " ")
	text, _, _ = strings.Cut(text, " (")
	return text
}
