package mcp

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gotriage/triage/report/agent"
	"github.com/gotriage/triage/rules/phrase"
)

const (
	// maxAnswer bounds an answer in bytes. Hosts refuse answers over 25,000 tokens; a token of the densest text
	// measured (random letters and signs) is 2.2 bytes.
	maxAnswer = 48_000
	// maxBlock bounds what is between two marks, in bytes: the rest of an answer needs less than the difference.
	// Chosen.
	maxBlock = 36_000
	// maxName bounds the name of a frame or file, maxError the text of an error: characters. Chosen.
	maxName  = 300
	maxError = 500
)

// cutNote ends an answer that was too long.
const cutNote = "\n(cut: ask for less, or for the next part by its cursor)\n"

// bounded cuts an answer between lines, and never inside a block: a block that does not fit is left out.
func bounded(text string) string {
	if len(text) <= maxAnswer {
		return text
	}
	text = text[:maxAnswer-len(cutNote)]
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	if open := strings.LastIndex(text, "<<<"); open >= 0 && !strings.Contains(text[open:], ">>>") {
		text = text[:strings.LastIndexByte(text[:open], '\n')+1]
	}
	return strings.ToValidUTF8(text, "") + cutNote
}

// untrusted marks lines of the inputs. Lines behind the first maxBlock bytes are left out and counted.
func untrusted(lines []string) string {
	size := 0
	for i, l := range lines {
		l = agent.Clean(l)
		if size += len(l) + 1; size > maxBlock {
			kept := append([]string{}, lines[:i]...)
			if i == 0 {
				kept = append(kept, phrase.Cut(l, maxBlock/utf8.UTFMax))
				i++
			}
			if i < len(lines) {
				kept = append(kept, fmt.Sprintf("(%d more lines are left out)", len(lines)-i))
			}
			return agent.Block(kept) + "\n"
		}
	}
	return agent.Block(lines) + "\n"
}

// name is the name of a frame or of a file, bounded.
func name(s string) string { return phrase.Cut(agent.Clean(s), maxName) }

// shortErrors bounds the errors of tools, also those about arguments: they may quote a text of the inputs or of the
// call.
func shortErrors(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		if r, ok := result.(*sdk.CallToolResult); ok && r != nil && r.IsError {
			for i, c := range r.Content {
				if t, ok := c.(*sdk.TextContent); ok {
					r.Content[i] = &sdk.TextContent{Text: errorText(t.Text)}
				}
			}
		}
		return result, err
	}
}

// errorText is an error as an answer shows it.
func errorText(s string) string {
	// encoding/json names the Go type that a number does not fit.
	if _, field, ok := strings.Cut(s, "into Go struct field "); ok {
		field, _, _ = strings.Cut(field, " ")
		s = "the argument " + field[strings.LastIndexByte(field, '.')+1:] + " is out of range"
	}
	return phrase.Cut(agent.Clean(s), maxError)
}
