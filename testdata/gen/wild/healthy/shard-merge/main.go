// Command shard-merge asks six shards for each search. The shards answer into the search's channel; one merger goes round
// all searches that are open and takes an answer of each, as fast as the index of the pages allows.
package main

import (
	"context"
	"log"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"wild/kit"
)

const shards = 6

type hits struct{ shard, count int }

type merger struct {
	mu   sync.Mutex
	open []<-chan hits
}

// search asks all shards; each gives its answer when it is taken.
func search(words int) <-chan hits {
	answers := make(chan hits)
	for shard := 0; shard < shards; shard++ {
		shard := shard
		go func() {
			answers <- hits{shard, words * shard}
		}()
	}
	return answers
}

// request notes a search for the merger.
func (m *merger) request(words int) {
	answers := search(words)
	m.mu.Lock()
	m.open = append(m.open, answers)
	m.mu.Unlock()
}

// merge takes one answer of each search in turn; a search leaves after its last.
func (m *merger) merge() {
	taken := map[<-chan hits]int{}
	for round := 0; ; round++ {
		m.mu.Lock()
		open := m.open
		m.open = nil
		m.mu.Unlock()
		var rest []<-chan hits
		for _, answers := range open {
			<-answers
			if taken[answers]++; taken[answers] < shards {
				rest = append(rest, answers)
			} else {
				delete(taken, answers)
			}
		}
		m.mu.Lock()
		m.open = append(m.open, rest...)
		m.mu.Unlock()
		page := make(chan struct{})
		time.AfterFunc(20*time.Second, func() { close(page) })
		<-page
		log.Printf("round %d: %d searches", round, len(open))
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	m := &merger{}
	go m.merge()
	for words := 1; ctx.Err() == nil; words++ {
		go m.request(words)
		time.Sleep(3 * time.Second)
	}
}
