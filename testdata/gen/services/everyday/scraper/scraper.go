// Package scraper fetches pages by a timetable, a few at a time; whoever asks for one that is on its way waits for it.
package scraper

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"github.com/robfig/cron/v3"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

// A crew fetches pages.
type crew struct {
	flights singleflight.Group
	slots   *semaphore.Weighted
}

// page takes twenty seconds: all who want the same one wait for the same flight.
func (c *crew) page(name string) (any, error) {
	v, err, _ := c.flights.Do(name, func() (any, error) {
		if err := c.slots.Acquire(context.Background(), 1); err != nil {
			return nil, err
		}
		defer c.slots.Release(1)
		time.Sleep(20 * time.Second)
		return "page " + name, nil
	})
	return v, err
}

// round fetches a dozen pages, six of them at once; a round that begins before the last has ended waits for it.
func (c *crew) round() {
	var g errgroup.Group
	g.SetLimit(6)
	for i := range 12 {
		g.Go(func() error {
			_, err := c.page(fmt.Sprint("list-", i))
			return err
		})
	}
	g.Wait()
}

func (c *crew) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v, err := c.page(r.URL.Query().Get("name"))
	fmt.Fprintln(w, v, err)
}

func Main() {
	kit.Start()
	c := &crew{slots: semaphore.NewWeighted(8)}
	table := cron.New(cron.WithSeconds(), cron.WithChain(cron.DelayIfStillRunning(cron.DiscardLogger)))
	table.AddFunc("0,20 */2 * * * *", c.round)
	table.AddFunc("@every 1h", c.round)
	table.Start()
	url := kit.API(c)
	patient := &http.Client{Timeout: 10 * time.Minute}
	for i := 0; ; i++ {
		go func() {
			if answer, err := patient.Get(fmt.Sprint(url, "/?name=hot-", i/60)); err == nil {
				answer.Body.Close()
			}
		}()
		time.Sleep(time.Second)
	}
}
