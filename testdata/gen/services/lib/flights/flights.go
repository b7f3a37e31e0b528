// Package flights lets one caller of many ask for a key.
package flights

import "sync"

type flight struct {
	wg    sync.WaitGroup
	value string
}

// A Group has the flights that are under way. Safe lands those that panic.
type Group struct {
	Safe bool
	mu   sync.Mutex
	m    map[string]*flight
}

// Do calls ask unless somebody else does.
func (g *Group) Do(key string, ask func() string) string {
	g.mu.Lock()
	if g.m == nil {
		g.m = map[string]*flight{}
	}
	if f := g.m[key]; f != nil {
		g.mu.Unlock()
		f.wg.Wait()
		return f.value
	}
	f := &flight{}
	f.wg.Add(1)
	g.m[key] = f
	g.mu.Unlock()
	if g.Safe {
		defer g.land(key, f)
		f.value = ask()
		return f.value
	}
	f.value = ask()
	g.land(key, f)
	return f.value
}

func (g *Group) land(key string, f *flight) {
	f.wg.Done()
	g.mu.Lock()
	delete(g.m, key)
	g.mu.Unlock()
}
