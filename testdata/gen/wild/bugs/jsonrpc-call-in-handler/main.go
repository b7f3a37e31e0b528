// Command jsonrpc-call-in-handler is an editor's language server and the editor, each of which asks the other.
//
// https://github.com/sourcegraph/jsonrpc2/pull/12
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"wild/kit"
)

func main() {
	kit.Serve()
	ctx := context.Background()
	here, there := net.Pipe()
	jsonrpc2.NewConn(ctx, stream(there), handler(jsonrpc2.HandlerWithError(handle)))
	editor := jsonrpc2.NewConn(ctx, stream(here), jsonrpc2.HandlerWithError(settings))
	for range time.Tick(time.Second) {
		log.Print(open(ctx, editor))
	}
}

func stream(conn net.Conn) jsonrpc2.ObjectStream {
	return jsonrpc2.NewBufferedStream(conn, jsonrpc2.VSCodeObjectCodec{})
}

// open opens a file.
func open(ctx context.Context, conn *jsonrpc2.Conn) (answer string, err error) {
	err = conn.Call(ctx, "open", "main.go", &answer)
	return answer, err
}

// handle answers the editor; it needs the editor's settings.
func handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	if r.Method != "open" {
		return nil, errors.New("no such method")
	}
	var indent string
	if err := conn.Call(ctx, "settings", nil, &indent); err != nil {
		return nil, err
	}
	return "opened, " + indent, nil
}

// settings answers the server.
func settings(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return "tabs", nil }
