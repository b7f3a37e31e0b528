// Package almanac prints pages by a timetable; a page that is not done when the next is due makes that wait.
package almanac

import (
	"sync"
	"sync/atomic"
	"time"

	"example.com/services/kit"
	"github.com/robfig/cron/v3"
	"golang.org/x/sync/errgroup"
)

// A press prints.
type press struct {
	page atomic.Int64
	mu   sync.Mutex
	done int
}

// print takes 33 seconds for each second page, and eight for the others.
func (p *press) print() {
	sheet := 8 * time.Second
	if p.page.Add(1)%2 == 1 {
		sheet = 33 * time.Second
	}
	var g errgroup.Group
	for range 4 {
		g.Go(func() error {
			time.Sleep(sheet)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.done++
			return nil
		})
	}
	g.Wait()
}

func Main() {
	kit.Start()
	p := &press{}
	table := cron.New(cron.WithChain(cron.Recover(cron.DiscardLogger), cron.DelayIfStillRunning(cron.DiscardLogger)))
	table.AddFunc("@every 21s", p.print)
	table.Start()
	kit.Wait()
}
