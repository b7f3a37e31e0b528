package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gotriage/triage/internal/mcp"
)

// exchange is what a server answers to lines, sorted: requests are answered side by side.
func exchange(t *testing.T, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	err := mcp.Serve(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &out, mcp.Options{Dir: testdata, Version: "v0"})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(strings.Lines(out.String()))
}

// wants fails the test where not each answer has its words.
func wants(t *testing.T, got []string, words ...string) {
	t.Helper()
	if len(got) != len(words) {
		t.Fatalf("%d answers of %d:\n%s", len(got), len(words), strings.Join(got, ""))
	}
	for i, w := range words {
		if !strings.Contains(got[i], w) || !json.Valid([]byte(got[i])) {
			t.Errorf("the answer lacks %s:\n%s", w, got[i])
		}
	}
}

func TestEveryVersionOfTheProtocolIsSpoken(t *testing.T) {
	for _, version := range sdk.SupportedProtocolVersions() {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- mcp.Serve(t.Context(), in, out, mcp.Options{Dir: testdata}) }()
		client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "v0"}, nil)
		session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer},
			&sdk.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if got := session.InitializeResult(); got.ProtocolVersion != version || got.ServerInfo.Name != "triage" ||
			!strings.Contains(got.Instructions, "untrusted") {
			t.Errorf("%s: %+v", version, got)
		}
		if list, err := session.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 7 {
			t.Errorf("%s: %v", version, err)
		}
		if err := session.Ping(t.Context(), nil); err != nil && version < "2026" {
			t.Errorf("%s: %v", version, err)
		}
		_ = session.Close()
		toServer.Close()
		if err := <-done; err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestAVersionThatIsNotSpokenIsNegotiated(t *testing.T) {
	wants(t, exchange(t,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2031-01-01"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2026-07-28"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01"}}}`,
	), `"protocolVersion":"2025-11-25"`, `"protocolVersion":"2025-11-25"`, `"supported":["2026-07-28",`)
}

func TestLinesThatAreNoRequestsBreakNothing(t *testing.T) {
	wants(t, exchange(t, "", "{", `"ping"`, "[]", "{}", "7", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":7,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"rm"}}`, `{"jsonrpc":"2.0","id":"c","method":"ping"}`,
	), `"id":"a","error":{"code":-32602`, `unknown tool \"rm\"`, `"id":"c","result":{}`, `"code":-32601`, `"id":null,"error":{"code":-32700`,
		`"code":-32700`, `"code":-32700`)
}

func TestAListOfRequestsIsAnsweredByAList(t *testing.T) {
	wants(t, exchange(t, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},`+
		`{"jsonrpc":"2.0","id":2,"method":"ping"}]`), `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`)
}

func TestAWrongArgumentIsNamed(t *testing.T) {
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lines","arguments":` + arguments + `}}`
	}
	for arguments, words := range map[string]string{
		`{"paths":["x"],"input":"x","line":"7"}`:        "the argument line is a string: it is of type integer",
		`{"paths":["x"],"input":"x","line":7.5}`:        "the argument line is out of range",
		`{"paths":"x","input":"x","line":7}`:            "the argument paths is a string: it is an array of strings",
		`{"paths":[1],"input":"x","line":7}`:            "the argument paths is a number",
		`{"paths":["x"],"line":7}`:                      "the argument input is missing",
		`{"paths":["x"],"input":"x","line":7,"file":1}`: `there is no argument \"file\"`,
		`"x"`: "the arguments are no object",
	} {
		got := exchange(t, call(arguments))
		wants(t, got, words)
		wants(t, got, `"isError":true`)
	}
}

func TestACancelledCallIsNotAnswered(t *testing.T) {
	in, toServer := io.Pipe()
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- mcp.Serve(t.Context(), in, &out, mcp.Options{Dir: testdata}) }()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"analyze","arguments":{"paths":["wild"]}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
	} {
		if _, err := io.WriteString(toServer, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	toServer.Close()
	select {
	case err := <-done:
		if err != nil || out.Len() > 0 {
			t.Errorf("%v: %s", err, &out)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server does not end")
	}
}

func TestAServerEndsWithItsContextAndWithItsOutput(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	in, toServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- mcp.Serve(ctx, in, io.Discard, mcp.Options{Dir: testdata}) }()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	toServer.Close()
	again, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	fromServer.Close()
	go func() { done <- mcp.Serve(context.Background(), again, out, mcp.Options{Dir: testdata}) }()
	_, _ = io.WriteString(toServer, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
	if err := <-done; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v", err)
	}
	toServer.Close()
	long := strings.NewReader(strings.Repeat("x", 5<<20))
	if err := mcp.Serve(context.Background(), long, io.Discard, mcp.Options{Dir: testdata}); err == nil {
		t.Error("a line of 5 MB is no error")
	}
}
