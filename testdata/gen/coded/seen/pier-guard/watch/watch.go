// Package watch keeps a lock for a while.
package watch

import (
	"sync"
	"time"
)

// Keep locks l for some time.
func Keep(l sync.Locker, d time.Duration) {
	l.Lock()
	defer l.Unlock()
	time.Sleep(d)
}
