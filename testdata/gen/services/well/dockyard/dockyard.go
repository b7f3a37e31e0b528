// Package dockyard keeps ledgers in files, with a lock file each.
package dockyard

import (
	"os"
	"path/filepath"
	"syscall"
	"time"

	"example.com/services/kit"
)

type ledger struct{ path string }

func (l *ledger) lock() *os.File {
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		panic(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		panic(err)
	}
	return f
}

// audit takes twenty seconds with the lock.
func (l *ledger) audit() {
	f := l.lock()
	defer f.Close()
	l.check()
}

func (l *ledger) check() { time.Sleep(20 * time.Second) }

// merge needs the locks of both, in the order of their paths.
func merge(a, b *ledger) {
	first := a.lock()
	defer first.Close()
	second := b.lock()
	defer second.Close()
	time.Sleep(50 * time.Millisecond)
}

func Main() {
	kit.Start()
	dir, err := os.MkdirTemp("", "dockyard")
	if err != nil {
		panic(err)
	}
	a, b := &ledger{filepath.Join(dir, "a")}, &ledger{filepath.Join(dir, "b")}
	go func() {
		for {
			b.audit()
			time.Sleep(time.Second)
		}
	}()
	for range 6 {
		go func() {
			for {
				merge(a, b)
				time.Sleep(100 * time.Millisecond)
			}
		}()
	}
	kit.Wait()
}
