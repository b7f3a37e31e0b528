package journal

import (
	"strconv"
	"testing"
)

func TestJournal(t *testing.T) {
	l := &Log{}
	l.index = &Index{log: l, seen: map[string]int{}}
	done := make(chan struct{})
	go func() {
		for range 100000 {
			l.index.Rebuild()
		}
		close(done)
	}()
	for i := range 1000000 {
		l.Append(strconv.Itoa(i % 100))
	}
	<-done
}
