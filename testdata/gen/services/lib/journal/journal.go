// Package journal writes lines and tells hooks about them.
package journal

import (
	"fmt"
	"io"
	"sync"
)

type Hook interface{ Fire(line string) }

type Logger struct {
	mu    sync.Mutex
	out   io.Writer
	hooks []Hook
}

func New(out io.Writer, hooks ...Hook) *Logger { return &Logger{out: out, hooks: hooks} }

func (l *Logger) AddHook(h Hook) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hooks = append(l.hooks, h)
}

func (l *Logger) Printf(format string, args ...any) { l.write(fmt.Sprintf(format, args...)) }

func (l *Logger) write(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range l.hooks {
		h.Fire(line)
	}
	fmt.Fprintln(l.out, line)
}
