// Command lookup keeps the last thousand answers of a lookup.
package main

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type lookup struct {
	mu      sync.Mutex
	answers map[string][]byte
	order   []string
}

func fetch(key string) []byte {
	return bytes.Repeat([]byte(key), 4096/len(key))
}

func (l *lookup) get(key string) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	answer, ok := l.answers[key]
	if !ok {
		answer = fetch(key)
		l.answers[key] = answer
		if l.order = append(l.order, key); len(l.order) > 1000 {
			delete(l.answers, l.order[0])
			l.order = l.order[1:]
		}
	}
	return answer
}

func main() {
	kit.Start()
	l := &lookup{answers: map[string][]byte{}}
	for i := 0; ; i++ {
		l.get(fmt.Sprint("session-", i))
		time.Sleep(time.Millisecond)
	}
}
