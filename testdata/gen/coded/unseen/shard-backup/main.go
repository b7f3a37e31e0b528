// Shard-backup locks all shards of a map while it copies them.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type shard struct {
	mu   sync.Mutex
	keys map[string]int
}

type store [4]shard

// backup copies all shards as they are at one time.
func (s *store) backup() (n int) {
	for i := range s {
		s[i].mu.Lock()
		defer s[i].mu.Unlock()
	}
	for i := range s {
		time.Sleep(10 * time.Minute)
		n += len(s[i].keys)
	}
	return n
}

func (s *store) set(key string, value int) {
	sh := &s[len(key)%len(s)]
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.keys == nil {
		sh.keys = map[string]int{}
	}
	sh.keys[key] = value
}

func main() {
	kit.Serve()
	s := &store{}
	go func() { log.Print(s.backup()) }()
	time.Sleep(time.Second)
	for _, key := range []string{"a", "bb", "ccc", "dddd", "eeeee"} {
		go s.set(key, 1)
	}
	kit.Wait()
}
