// Package catalog finds documents by word.
package catalog

import "sync"

// An Index is read often and written seldom.
type Index struct {
	lock  sync.RWMutex
	words map[string][]int
}

// Start looks a word up that the index does not know.
func Start() {
	x := &Index{words: map[string][]int{}}
	go x.Touch("harbour")
	for i := 0; i < 5; i++ {
		go x.find("pier")
	}
}

// Touch makes sure that a word has an entry.
func (x *Index) Touch(word string) []int {
	x.lock.RLock()
	defer x.lock.RUnlock()
	docs, ok := x.words[word]
	if !ok {
		docs = x.insert(word)
	}
	return docs
}

// insert adds a word without documents.
func (x *Index) insert(word string) []int {
	x.lock.Lock()
	defer x.lock.Unlock()
	x.words[word] = []int{}
	return x.words[word]
}

func (x *Index) find(word string) []int {
	for {
		x.lock.RLock()
		docs := x.words[word]
		x.lock.RUnlock()
		if len(docs) > 0 {
			return docs
		}
	}
}
