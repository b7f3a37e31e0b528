//go:build fixed

package main

import "github.com/sourcegraph/jsonrpc2"

func handler(h jsonrpc2.Handler) jsonrpc2.Handler { return jsonrpc2.AsyncHandler(h) }
