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
