// Package schema knows the tables of a database.
package schema

import (
	"sync"
	"time"
)

type table struct{ columns []string }

// Tables are the tables by name.
type Tables struct {
	sync.RWMutex
	byName map[string]*table
}

// Start describes all tables while one is altered.
func Start() {
	t := &Tables{byName: map[string]*table{"orders": {[]string{"id"}}}}
	go t.Describe()
	go t.alter("orders", "total")
}

// Describe is the number of columns of each table.
func (t *Tables) Describe() map[string]int {
	t.RLock()
	defer t.RUnlock()
	counts := map[string]int{}
	for name := range t.byName {
		time.Sleep(40 * time.Millisecond)
		t.RLock()
		counts[name] = len(t.byName[name].columns)
		t.RUnlock()
	}
	return counts
}

func (t *Tables) alter(name, column string) {
	time.Sleep(20 * time.Millisecond)
	t.Lock()
	defer t.Unlock()
	t.byName[name].columns = append(t.byName[name].columns, column)
}
