// Package register is the register of all visas.
package register

import (
	"sync"
	"time"
)

var (
	indexMu sync.Mutex
	index   = map[string]int{}

	rowsMu sync.Mutex
	rows   []entry
)

type entry struct {
	holder  string
	revoked bool
}

// Issue enters a visa and returns its number.
func Issue(holder string) int {
	indexMu.Lock()
	defer indexMu.Unlock()
	if n, ok := index[holder]; ok {
		return n
	}
	rowsMu.Lock()
	defer rowsMu.Unlock()
	rows = append(rows, entry{holder: holder})
	time.Sleep(time.Millisecond) // the seal
	index[holder] = len(rows) - 1
	return len(rows) - 1
}

// Revoke takes a visa back.
func Revoke(n int) bool {
	indexMu.Lock()
	defer indexMu.Unlock()
	rowsMu.Lock()
	defer rowsMu.Unlock()
	if n >= len(rows) || rows[n].revoked {
		return false
	}
	rows[n].revoked = true
	time.Sleep(time.Millisecond) // the seal
	delete(index, rows[n].holder)
	return true
}
