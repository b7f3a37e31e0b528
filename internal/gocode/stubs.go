package gocode

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// stubTexts declare what of the standard library goroutines wait by, as far as their waits need it.
var stubTexts = map[string]string{
	"sync": `package sync
type Locker interface { Lock(); Unlock() }
type Mutex struct { state int }
func (m *Mutex) Lock() {}
func (m *Mutex) TryLock() bool { return false }
func (m *Mutex) Unlock() {}
type RWMutex struct { state int }
func (m *RWMutex) Lock() {}
func (m *RWMutex) TryLock() bool { return false }
func (m *RWMutex) Unlock() {}
func (m *RWMutex) RLock() {}
func (m *RWMutex) TryRLock() bool { return false }
func (m *RWMutex) RUnlock() {}
func (m *RWMutex) RLocker() Locker { return nil }
type WaitGroup struct { state int }
func (w *WaitGroup) Add(delta int) {}
func (w *WaitGroup) Done() {}
func (w *WaitGroup) Wait() {}
func (w *WaitGroup) Go(f func()) {}
type Cond struct { L Locker }
func NewCond(l Locker) *Cond { return nil }
func (c *Cond) Wait() {}
func (c *Cond) Signal() {}
func (c *Cond) Broadcast() {}
type Once struct { state int }
func (o *Once) Do(f func()) {}
`,
	"time": `package time
type Duration int64
const ( Nanosecond Duration = 1; Microsecond = 1000 * Nanosecond; Millisecond = 1000 * Microsecond
	Second = 1000 * Millisecond; Minute = 60 * Second; Hour = 60 * Minute )
type Time struct { ns int64 }
func Now() Time { return Time{} }
func Since(t Time) Duration { return 0 }
func Sleep(d Duration) {}
func After(d Duration) <-chan Time { return nil }
func Tick(d Duration) <-chan Time { return nil }
func AfterFunc(d Duration, f func()) *Timer { return nil }
type Timer struct { C <-chan Time }
func NewTimer(d Duration) *Timer { return nil }
func (t *Timer) Stop() bool { return false }
func (t *Timer) Reset(d Duration) bool { return false }
type Ticker struct { C <-chan Time }
func NewTicker(d Duration) *Ticker { return nil }
func (t *Ticker) Stop() {}
func (t *Ticker) Reset(d Duration) {}
`,
	"context": `package context
type Context interface { Done() <-chan struct{}; Err() error; Value(key any) any }
type CancelFunc func()
func Background() Context { return nil }
func TODO() Context { return nil }
func WithCancel(parent Context) (Context, CancelFunc) { return nil, nil }
func WithTimeout(parent Context, d int64) (Context, CancelFunc) { return nil, nil }
func WithDeadline(parent Context, d any) (Context, CancelFunc) { return nil, nil }
func WithValue(parent Context, key, val any) Context { return nil }
`,
	"net/http": `package http
type Body interface { Read(p []byte) (int, error); Close() error }
type Response struct { StatusCode int; Status string; Body Body }
type RoundTripper interface { RoundTrip(r *Request) (*Response, error) }
type Request struct { Method string; Body Body }
func NewRequest(method, url string, body any) (*Request, error) { return nil, nil }
func NewRequestWithContext(ctx any, method, url string, body any) (*Request, error) { return nil, nil }
type Transport struct { DisableKeepAlives bool }
func (t *Transport) RoundTrip(r *Request) (*Response, error) { return nil, nil }
func (t *Transport) Clone() *Transport { return nil }
func (t *Transport) CloseIdleConnections() {}
type Client struct { Transport RoundTripper }
func (c *Client) Do(r *Request) (*Response, error) { return nil, nil }
func (c *Client) Get(url string) (*Response, error) { return nil, nil }
func (c *Client) Head(url string) (*Response, error) { return nil, nil }
func (c *Client) Post(url, contentType string, body any) (*Response, error) { return nil, nil }
func (c *Client) PostForm(url string, data any) (*Response, error) { return nil, nil }
func (c *Client) CloseIdleConnections() {}
var DefaultClient *Client
var DefaultTransport RoundTripper
func Get(url string) (*Response, error) { return nil, nil }
func Head(url string) (*Response, error) { return nil, nil }
func Post(url, contentType string, body any) (*Response, error) { return nil, nil }
func PostForm(url string, data any) (*Response, error) { return nil, nil }
`,
	"database/sql": `package sql
type Rows struct { state int }
func (r *Rows) Next() bool { return false }
func (r *Rows) Scan(dest ...any) error { return nil }
func (r *Rows) Err() error { return nil }
func (r *Rows) Close() error { return nil }
type queries struct { state int }
func (q *queries) Query(query string, args ...any) (*Rows, error) { return nil, nil }
func (q *queries) QueryContext(ctx any, query string, args ...any) (*Rows, error) { return nil, nil }
type begins struct { queries }
func (b *begins) Begin() (*Tx, error) { return nil, nil }
func (b *begins) BeginTx(ctx, options any) (*Tx, error) { return nil, nil }
type DB struct { begins }
func (d *DB) Conn(ctx any) (*Conn, error) { return nil, nil }
type Conn struct { begins }
func (c *Conn) Close() error { return nil }
type Tx struct { queries }
func (t *Tx) Commit() error { return nil }
func (t *Tx) Rollback() error { return nil }
type Stmt struct { state int }
func (s *Stmt) Query(args ...any) (*Rows, error) { return nil, nil }
func (s *Stmt) QueryContext(ctx any, args ...any) (*Rows, error) { return nil, nil }
`,
}

// stubs imports the packages of stubTexts; all others are empty.
type stubs struct{}

// Import implements types.Importer.
func (stubs) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	text, ok := stubTexts[path]
	if !ok {
		name := path[lastSlash(path)+1:]
		p := types.NewPackage(path, name)
		p.MarkComplete()
		return p, nil
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parsing what is known of package %s: %w", path, err)
	}
	c := types.Config{Error: func(error) {}}
	return c.Check(path, set, []*ast.File{f}, nil)
}

func lastSlash(path string) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return i
		}
	}
	return -1
}
