package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestAnAgentConnectsByStandardInputAndOutput talks to the command as a host does.
func TestAnAgentConnectsByStandardInputAndOutput(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		dir := filepath.Join("..", "..", "testdata", "dumps", "go1.26")
		ended <- Main(context.Background(), []string{"mcp", "--dir", dir},
			Std{In: in, Out: out, Err: &stderr, Getenv: func(string) string { return "" }})
		out.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(context.Background(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := session.CallTool(context.Background(), &sdk.CallToolParams{
		Name: "analyze", Arguments: map[string]any{"paths": []string{"spin-gosched.txt"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if text := res.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, "VERDICT: goroutine ") {
		t.Errorf("the answer is\n%s", text)
	}
	toServer.Close()
	if code := <-ended; code != exitOK || stderr.Len() > 0 {
		t.Errorf("exit %d: %s", code, &stderr)
	}
}
