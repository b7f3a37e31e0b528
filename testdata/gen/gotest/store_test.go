package gotest

import (
	"sync"
	"testing"
)

func TestStoreAddAllHangs(t *testing.T) {
	s := &Store{counts: map[string]int{}}
	s.AddAll([]string{"north", "south"})
}

func TestStoreAddPanics(t *testing.T) {
	var s Store
	s.Add("north")
}

func TestStoreHitRaces(t *testing.T) {
	s := &Store{counts: map[string]int{}}
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.Hit()
		}()
	}
	wg.Wait()
}

func TestStoreParallelHangs(t *testing.T) {
	for _, name := range []string{"a", "b", "c"} {
		name := name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			(&Store{counts: map[string]int{}}).AddAll([]string{name})
		})
	}
}
