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
	rows   [400]entry
	issued int
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
	n := issued % len(rows)
	issued++
	delete(index, rows[n].holder) // it has expired
	rows[n] = entry{holder: holder}
	time.Sleep(time.Millisecond) // the seal
	index[holder] = n
	return n
}

// Revoke takes a visa back.
func Revoke(n int) bool {
	indexMu.Lock()
	defer indexMu.Unlock()
	rowsMu.Lock()
	defer rowsMu.Unlock()
	if rows[n].holder == "" || rows[n].revoked {
		return false
	}
	rows[n].revoked = true
	time.Sleep(time.Millisecond) // the seal
	delete(index, rows[n].holder)
	return true
}
