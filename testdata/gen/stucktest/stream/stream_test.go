package stream

import (
	"context"
	"sync"
	"testing"
	"time"

	"example.com/fixtures/stucktest/internal/ready"
)

func TestCloseAfterFirst(t *testing.T) {
	ready.When(map[string]int{"stream.(*Subscription).produce": 1, "stream.(*Subscription).Close": 1})
	s := Subscribe()
	<-s.messages
	time.Sleep(10 * time.Millisecond)
	s.Close()
}

func TestCollect(t *testing.T) {
	if n := len(Collect(Lines(3))); n != 3 {
		t.Errorf("%d lines, want 3", n)
	}
}

func TestUnknownMethod(t *testing.T) {
	ready.When(map[string]int{"stream.(*Server).Call": 1})
	s := &Server{calls: make(chan call)}
	go s.serve()
	for _, method := range []string{"echo", "quit"} {
		s.Call(method)
	}
}

func TestCopyAll(t *testing.T) {
	var wg sync.WaitGroup
	if err := CopyAll([]string{"a", "b", "c", "d", "e", "f"}, &wg); err == nil {
		t.Error("no error")
	}
	wg.Wait()
}

func TestWatchEndsWithContext(t *testing.T) {
	ready.When(map[string]int{"stream.Watch": 1})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	changes := make(chan int)
	go Watch(ctx, changes, done)
	cancel()
	<-done
}

func TestNextBeforeOpen(t *testing.T) {
	f := new(Feed)
	go f.open()
	if f.Next() != 1 {
		t.Error("not the update")
	}
}
