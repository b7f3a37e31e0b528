// Package newsletter sends letters at the rate that the provider allows: one in two seconds, by golang.org/x/time/rate.
//
// It looks like goroutines that pile up (goroutine-pile-up, select-leak, sleepers-pile-up): 400 wait in the limiter, for
// minutes. Each has its turn; when the last is sent, the next issue comes.
package newsletter

import (
	"context"
	"sync"
	"time"

	"example.com/services/kit"
	"golang.org/x/time/rate"
)

type mailer struct {
	limit *rate.Limiter
	mu    sync.Mutex
	sent  int
}

func (m *mailer) send(ctx context.Context, to int) error {
	if err := m.limit.Wait(ctx); err != nil {
		return err
	}
	time.Sleep(100 * time.Millisecond)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent++
	return nil
}

func (m *mailer) issue(ctx context.Context, readers int) {
	var group sync.WaitGroup
	for i := range readers {
		group.Add(1)
		go func() {
			defer group.Done()
			m.send(ctx, i)
		}()
	}
	group.Wait()
}

// Main sends issue after issue.
func Main() {
	kit.Start()
	m := &mailer{limit: rate.NewLimiter(0.5, 1)}
	go func() {
		for {
			m.issue(context.Background(), 400)
		}
	}()
	kit.Wait()
}
