// Command lookup keeps every answer of a lookup in a map, for keys that never come again.
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
