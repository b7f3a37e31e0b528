package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// versions are those of the protocol that the server speaks, newest first. Its requests and answers are the same in
// all; from the first on, server/discover stands for initialize, and each request names its version.
var versions = [...]string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// lastInitialized is the newest version that begins with initialize.
const lastInitialized = "2025-11-25"

// What an error's code means: JSON-RPC's own, and the protocol's for a version that is not spoken here.
const (
	codeParse      = -32700
	codeNoMethod   = -32601
	codeParams     = -32602
	codeNoVersion  = -32022
	metaServerInfo = "io.modelcontextprotocol/serverInfo"
)

const (
	// maxMessage bounds a message in bytes. Chosen: arguments are paths and conditions.
	maxMessage = 4 << 20
	// maxUnderWay bounds the requests that are answered at the same time. Chosen: tools read one after the other.
	maxUnderWay = 32
)

// A message is a request, or a notification where it has no id.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// A response answers a request: with a result or an error.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

// A failure is an error of the protocol. What a tool can't do is an answer instead.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (f *failure) Error() string { return f.Message }

// A conn is one connection: messages of a line each, which are answered as they come, several at a time.
type conn struct {
	answer func(ctx context.Context, m *message) (any, error)
	out    io.Writer

	mu       sync.Mutex // guards out and underWay
	failed   error      // of out: nothing more is written, and serve ends
	stop     func()
	underWay map[string]context.CancelFunc
	wg       sync.WaitGroup
}

// serve answers until in ends or ctx does, and returns when all is answered.
func (c *conn) serve(ctx context.Context, in io.Reader) error {
	ctx, c.stop = context.WithCancel(ctx)
	defer c.stop()
	lines, ended := make(chan []byte), make(chan error, 1)
	go func() {
		s := bufio.NewScanner(in)
		s.Buffer(nil, maxMessage)
		for s.Scan() {
			select {
			case lines <- bytes.Clone(s.Bytes()):
			case <-ctx.Done():
				return
			}
		}
		ended <- s.Err()
	}()
	free := make(chan struct{}, maxUnderWay)
	for {
		select {
		case <-ctx.Done():
			c.wg.Wait()
			return c.failed
		case err := <-ended:
			c.wg.Wait() // who closes the input may read on
			return errors.Join(err, c.failed)
		case line := <-lines:
			c.take(ctx, line, free)
		}
	}
}

// take begins to answer a line: a message, or a list of them, which older versions of the protocol allow.
func (c *conn) take(ctx context.Context, line []byte, free chan struct{}) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	var all []message
	if err := unmarshalAll(line, &all); err != nil {
		text := errorText("this is no message of JSON-RPC: " + err.Error())
		c.write(refusal(nil, &failure{Code: codeParse, Message: text}))
		return
	}
	answers := make([]*response, len(all))
	var list sync.WaitGroup
	for i := range all {
		m := &all[i]
		if len(m.ID) == 0 || bytes.Equal(m.ID, []byte("null")) || m.Method == "" {
			c.note(m)
			continue
		}
		free <- struct{}{}
		own, cancel := context.WithCancel(ctx)
		c.mu.Lock()
		c.underWay[string(m.ID)] = cancel
		c.mu.Unlock()
		list.Go(func() {
			answers[i] = c.reply(own, m)
			cancel()
			<-free
		})
	}
	c.wg.Go(func() {
		list.Wait()
		answers = slices.DeleteFunc(answers, func(r *response) bool { return r == nil })
		switch {
		case len(answers) == 0:
		case line[0] == '[':
			c.write(answers)
		default:
			c.write(answers[0])
		}
	})
}

func unmarshalAll(line []byte, all *[]message) error {
	if line[0] == '[' {
		return json.Unmarshal(line, all)
	}
	*all = make([]message, 1)
	return json.Unmarshal(line, &(*all)[0])
}

// note takes a notification. Only the end of a request means something here.
func (c *conn) note(m *message) {
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if m.Method == "notifications/cancelled" && json.Unmarshal(m.Params, &p) == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if cancel := c.underWay[string(p.ID)]; cancel != nil {
			cancel()
		}
	}
}

// reply answers a request; nil where it was cancelled, for which nobody waits.
func (c *conn) reply(ctx context.Context, m *message) *response {
	result, err := c.answer(ctx, m)
	c.mu.Lock()
	delete(c.underWay, string(m.ID))
	c.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return refusal(m.ID, err)
	}
	return &response{Version: "2.0", ID: m.ID, Result: result}
}

func refusal(id json.RawMessage, err error) *response {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{Code: codeParams, Message: err.Error()}
	}
	if id == nil {
		id = json.RawMessage("null")
	}
	return &response{Version: "2.0", ID: id, Error: f}
}

// write writes a message as one line.
func (c *conn) write(m any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(m)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && c.failed == nil {
		_, err = c.out.Write(b.Bytes())
	}
	if err != nil && c.failed == nil {
		c.failed = fmt.Errorf("writing an answer: %w", err)
		c.stop()
	}
}
