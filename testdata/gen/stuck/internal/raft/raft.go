// Package raft keeps a replicated log.
package raft

import (
	"sync"
	"time"
)

// A Log holds entries that a snapshot may replace.
type Log struct {
	mu      sync.Mutex
	entries []string
	snaps   *Snapshots
}

// Snapshots are written now and then, and sent to peers that are behind.
type Snapshots struct {
	mu    sync.Mutex
	last  int
	peers *Transport
}

// A Transport sends entries of the log to peers.
type Transport struct {
	mu   sync.Mutex
	log  *Log
	sent int
}

// Start compacts, snapshots and sends at the same time.
func Start() {
	l, s, t := &Log{entries: []string{"x=1"}}, new(Snapshots), new(Transport)
	l.snaps, s.peers, t.log = s, t, l
	go l.Compact()
	go s.Send()
	go t.run()
	go status(l, t)
}

// Compact drops the entries that the last snapshot holds.
func (l *Log) Compact() {
	l.mu.Lock()
	defer l.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	if n := l.snaps.Last(); n > 0 {
		l.entries = l.entries[n:]
	}
}

// Len is the number of entries.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.entries)
}

// Last is the index of the last snapshot.
func (s *Snapshots) Last() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// Send sends the last snapshot.
func (s *Snapshots) Send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	s.peers.push(s.last)
}

func (t *Transport) push(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent += n
}

func (t *Transport) run() {
	for {
		t.replicate()
	}
}

// replicate sends what the peers lack.
func (t *Transport) replicate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	t.sent = t.log.Len()
}

func status(l *Log, t *Transport) {
	time.Sleep(60 * time.Millisecond)
	t.push(0)
	l.Len()
}
