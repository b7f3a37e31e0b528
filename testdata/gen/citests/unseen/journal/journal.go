package journal

import "sync"

type Index struct {
	lock sync.Mutex
	log  *Log
	seen map[string]int
}

type Log struct {
	lock  sync.Mutex
	index *Index
	lines []string
}

func (l *Log) Append(s string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.lines = append(l.lines, s)
	l.index.note(s, len(l.lines)) // GUILTY
}

func (x *Index) note(s string, at int) {
	x.lock.Lock() // GUILTY
	x.seen[s] = at
	x.lock.Unlock()
}

func (x *Index) Rebuild() {
	x.lock.Lock()
	defer x.lock.Unlock()
	for i, s := range x.log.all() { // GUILTY
		x.seen[s] = i
	}
}

func (l *Log) all() []string {
	l.lock.Lock() // GUILTY
	defer l.lock.Unlock()
	return append([]string(nil), l.lines...)
}
