package stackparse

import "bytes"

// testLines is the test under way by what go test prints (package testing, (*common).report and chattyPrinter):
//
//	=== RUN   TestMove/both_ways
//	=== CONT  TestMove/both_ways
//	    --- FAIL: TestMove/both_ways (0.00s)
//	FAIL	example.com/shop	0.021s
//
// Lines of the first kinds come with -v and -json alone. A test that failed is named before its log, and directly
// before the panic that ended it.
type testLines struct {
	name   string
	failed int64 // the line that says so, 0 for a test that runs
	ended  bool  // go test has reported a package
}

const maxTestName = 256

// testLine takes a line outside goroutines. The test binary's last one ends a dump under way: what follows is of
// another process.
func (p *Parser) testLine(text []byte) {
	t, line := &p.test, bytes.TrimLeft(text, " ")
	if len(line) == 0 || bytes.IndexByte([]byte("=-FoP"), line[0]) < 0 {
		return
	}
	switch {
	case bytes.HasPrefix(line, []byte("=== RUN   ")), bytes.HasPrefix(line, []byte("=== CONT  ")),
		bytes.HasPrefix(line, []byte("=== NAME  ")):
		t.set(line[len("=== RUN   "):], 0)
	case bytes.HasPrefix(line, []byte("--- FAIL: ")):
		name, _, _ := bytes.Cut(line[len("--- FAIL: "):], []byte(" ("))
		t.set(name, p.num)
	case bytes.HasPrefix(line, []byte("--- PASS: ")), bytes.HasPrefix(line, []byte("--- SKIP: ")):
		t.set(nil, 0)
	case bytes.HasPrefix(text, []byte("FAIL\t")), bytes.HasPrefix(text, []byte("ok  \t")):
		t.set(nil, 0)
		t.ended = true
		if p.position == between {
			p.closeDump()
		}
	}
}

// OfTests reports whether the lines so far are output of go test: it has reported the end of a package.
func (p *Parser) OfTests() bool { return p.test.ended }

func (t *testLines) set(name []byte, failed int64) {
	t.name, t.failed = cleanText(bytes.TrimSpace(name), maxTestName), failed
}

// of is the test of a dump: a panic elsewhere than right behind a failure is that of another test.
func (t *testLines) of(cause *Cause) string {
	if t.failed > 0 && cause != nil && cause.Line > t.failed+1 {
		return ""
	}
	return t.name
}
