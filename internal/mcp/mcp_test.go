package mcp_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gotriage/triage/internal/mcp"
)

// A client talks to a server over testdata.
type client struct {
	*testing.T
	session *sdk.ClientSession
}

func connect(t *testing.T, dir string) client {
	t.Helper()
	there, here := sdk.NewInMemoryTransports()
	done := make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() { done <- mcp.Serve(ctx, there, mcp.Options{Dir: dir, Version: "v0"}) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "v0"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		stop()
		<-done
	})
	return client{t, session}
}

// call returns a tool's answer, and whether it is an error.
func (c client) call(tool string, arguments map[string]any) (string, bool) {
	c.Helper()
	res, err := c.session.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.Fatalf("%s %v: %v", tool, arguments, err)
	}
	if len(res.Content) != 1 {
		c.Fatalf("%s: %d parts", tool, len(res.Content))
	}
	return res.Content[0].(*sdk.TextContent).Text, res.IsError
}

// must returns an answer that is no error and holds all the words.
func (c client) must(tool string, arguments map[string]any, words ...string) string {
	c.Helper()
	text, failed := c.call(tool, arguments)
	if failed {
		c.Fatalf("%s %v: %s", tool, arguments, text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			c.Errorf("%s %v: the answer lacks %q:\n%s", tool, arguments, w, text)
		}
	}
	return text
}

// refuses fails the test where the answer is no error with the words.
func (c client) refuses(tool string, arguments map[string]any, words string) {
	c.Helper()
	if text, failed := c.call(tool, arguments); !failed || !strings.Contains(text, words) {
		c.Errorf("%s %v: error %t: %s", tool, arguments, failed, text)
	}
}

const testdata = "../../testdata"

var abba = []string{"dumps/go1.26/stuck-abba.txt"}

func TestAnAgentGoesFromTheVerdictToTheLines(t *testing.T) {
	c := connect(t, testdata)
	tools, err := c.session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Tools) != 7 {
		t.Errorf("%d tools", len(tools.Tools))
	}
	for _, tool := range tools.Tools {
		if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s is not marked as one that reads only", tool.Name)
		}
	}
	c.must("analyze", map[string]any{"paths": abba}, "VERDICT: main.(*account).deposit has",
		"FINDING f1: lock-cycle (TR407)")
	c.must("finding", map[string]any{"paths": abba, "id": "f1"}, "CULPRIT: main.(*account).deposit", "<<<untrusted ", "stuck-abba.txt:130", "WHY: ", "FIX: ")
	c.must("blockers", map[string]any{"paths": abba, "id": "8"}, "goroutine 8 waits for mutex", "candidate holder goroutine 9", "which closes a cycle")
	c.must("lines", map[string]any{"paths": abba, "input": "stuck-abba.txt", "line": 130, "around": 2},
		"   130  goroutine 8", "   128  ", "   132  ")
	c.must("groups", map[string]any{"paths": abba, "where": `wait == "mutex"`}, "2 goroutines in 2 groups match", "GROUP d1.g")
	c.must("compare", map[string]any{"before": abba, "after": []string{"dumps/go1.26/spin-gosched.txt"}}, "new: goroutine", "gone: TR407")
	c.must("explain", map[string]any{"rule": "TR101"}, "busy-wait")
}

func TestGroupsComeInPages(t *testing.T) {
	c := connect(t, testdata)
	seen := map[string]bool{}
	cursor, pages := "", 0
	for {
		arguments := map[string]any{"paths": []string{"dumps/go1.26/spin-gosched.txt"}, "limit": 3}
		if cursor != "" {
			arguments["cursor"] = cursor
		}
		text := c.must("groups", arguments)
		pages++
		for line := range strings.Lines(text) {
			if id, ok := strings.CutPrefix(line, "GROUP "); ok {
				id, _, _ = strings.Cut(id, " ")
				if seen[id] {
					t.Fatalf("%s comes twice", id)
				}
				seen[id] = true
			}
		}
		_, rest, more := strings.Cut(text, "MORE: cursor ")
		if !more {
			break
		}
		cursor = strings.TrimSpace(rest)
	}
	if pages < 3 || len(seen) <= 3*(pages-1) {
		t.Errorf("%d groups in %d pages", len(seen), pages)
	}
}

func TestNoPathLeadsOutOfTheFolder(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.txt")
	dump, err := os.ReadFile(filepath.Join(testdata, abba[0]))
	if err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string][]byte{outside: dump, filepath.Join(dir, "dump.txt"): dump} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.txt")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	c := connect(t, dir)
	for _, path := range []string{"../" + filepath.Base(filepath.Dir(outside)) + "/secret.txt", outside, "link.txt", "/etc/passwd", ".."} {
		c.refuses("analyze", map[string]any{"paths": []string{path}}, "not under the server's folder")
	}
	c.refuses("analyze", map[string]any{"paths": []string{"none.txt"}}, "no such file")
	c.refuses("analyze", map[string]any{"paths": []string{}}, "paths is empty")
	if text := c.must("analyze", map[string]any{"paths": []string{"."}}, "VERDICT: main"); strings.Contains(text, "secret") {
		t.Errorf("the folder's link was followed:\n%s", text)
	}
	c.refuses("lines", map[string]any{"paths": []string{"."}, "input": outside, "line": 1}, "no input in these paths")
}

func TestMistakesAreAnswersWithAHint(t *testing.T) {
	c := connect(t, testdata)
	c.refuses("finding", map[string]any{"paths": abba, "id": "f9"}, "the inputs have 1 finding, and ids begin at f1")
	c.refuses("groups", map[string]any{"paths": abba, "where": "stat == 1"}, "unknown name stat")
	c.refuses("groups", map[string]any{"paths": abba, "cursor": "x"}, "cursor")
	c.refuses("blockers", map[string]any{"paths": abba, "id": "d9.g9"}, "neither")
	c.refuses("lines", map[string]any{"paths": abba, "input": "stuck-abba.txt", "line": -3}, "lines count from 1")
	c.refuses("finding", map[string]any{"paths": []string{"dumps/go1.26/healthy-cache.txt"}, "id": "f1"}, "the inputs have 0 findings")
	c.refuses("lines", map[string]any{"paths": abba, "input": "x", "line": 1e30}, "the argument line is out of range")
	if text, _ := c.call("lines", map[string]any{"paths": abba, "line": strings.Repeat("7", 9_000)}); len(text) > 600 {
		t.Errorf("the error has %d bytes: %.300s", len(text), text)
	}
	if text, _ := c.call("finding", map[string]any{"paths": abba, "id": strings.Repeat("f<<<", 9_000)}); len(text) > 600 ||
		strings.Contains(text, "<<<") {
		t.Errorf("the error has %d bytes: %.300s", len(text), text)
	}
	c.refuses("explain", map[string]any{"rule": "TR000"}, "no rule")
	c.refuses("analyze", map[string]any{"paths": abba, "since": "yesterday"}, "neither a time")
}

// TestNoAnswerIsTooLongForAHost asks for everything of a dump whose names are as long as they can be: hosts refuse
// answers of more than 25,000 tokens, and a token of random letters has 2.2 bytes.
func TestNoAnswerIsTooLongForAHost(t *testing.T) {
	const most = 55_000
	dir := t.TempDir()
	var b strings.Builder
	for id := range 400 {
		b.WriteString("goroutine 1" + strings.Repeat("0", id%3) + string(rune('0'+id%10)) + " [select, 9 minutes]:\n")
		for range 30 {
			b.WriteString("main.")
			for i := range 300 {
				b.WriteByte("qzxjkvwQZXJKVW"[(i*id+i*i)%14])
			}
			b.WriteString("(...)\n\t/x.go:7 +0x1\n")
		}
		b.WriteString("\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "dump.txt"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connect(t, dir)
	paths := []string{"dump.txt"}
	for tool, arguments := range map[string]map[string]any{
		"analyze": {"paths": paths}, "groups": {"paths": paths, "limit": 100}, "lines": {"paths": paths, "input": "dump.txt", "line": 500, "around": 200},
	} {
		text, _ := c.call(tool, arguments)
		if len(text) > most {
			t.Errorf("%s: %d bytes", tool, len(text))
		}
	}
}
