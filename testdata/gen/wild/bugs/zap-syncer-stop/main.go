// Command zap-syncer-stop is a service with a log for each hour, which it writes to a slow disk.
//
// https://github.com/uber-go/zap/issues/1428
package main

import (
	"sync/atomic"
	"time"

	"go.uber.org/zap/zapcore"

	"wild/kit"
)

var current atomic.Pointer[zapcore.BufferedWriteSyncer]

func main() {
	kit.Serve()
	current.Store(open())
	for range 3 {
		go work()
	}
	rotate()
}

// work writes lines to the log of the hour.
func work() {
	line := []byte("2026-01-02T15:04:05Z info order shipped\n")
	for {
		current.Load().Write(line)
		time.Sleep(10 * time.Millisecond)
	}
}

// rotate begins a new log when the hour has passed.
func rotate() {
	for range time.Tick(100 * time.Millisecond) {
		old := current.Swap(open())
		old.Stop()
	}
}

func open() *zapcore.BufferedWriteSyncer {
	return &zapcore.BufferedWriteSyncer{WS: disk{}, Size: 64, FlushInterval: time.Millisecond}
}

// A disk needs some milliseconds for a write.
type disk struct{}

func (disk) Write(p []byte) (int, error) {
	time.Sleep(3 * time.Millisecond)
	return len(p), nil
}

func (disk) Sync() error { return nil }
