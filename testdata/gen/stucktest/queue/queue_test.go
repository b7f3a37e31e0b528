package queue

import (
	"testing"
	"time"

	"example.com/fixtures/stucktest/internal/ready"
)

func TestSubmitMany(t *testing.T) {
	q := New(1)
	for i := 0; i < 5; i++ {
		q.Submit(i)
	}
}

func TestCloseWithWorkLeft(t *testing.T) {
	ready.When(map[string]int{"queue.(*Queue).Close": 1, "queue.(*Queue).finish": 4})
	q := New(4)
	for i := 0; i < 4; i++ {
		q.jobs <- i
	}
	if n := q.Close(); n != 4 {
		t.Errorf("%d jobs done, want 4", n)
	}
}

func TestPauseWhileBusy(t *testing.T) {
	ready.When(map[string]int{"queue.(*Queue).Pause": 1, "queue.(*Queue).finish": 1})
	q := New(0)
	go q.Do(func() {
		time.Sleep(30 * time.Millisecond)
		q.finish(1)
	})
	time.Sleep(10 * time.Millisecond)
	q.Pause(func() {})
}

func TestPeek(t *testing.T) {
	q := New(0)
	go func() {
		time.Sleep(10 * time.Millisecond)
		q.Report(7)
	}()
	if q.Peek() != 7 {
		t.Error("not the result")
	}
}
