// Package forecast computes the weather of places: a few at a time, each once for all who ask.
package forecast

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"github.com/gin-gonic/gin"
	"github.com/robfig/cron/v3"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

// A model computes.
type model struct {
	once  singleflight.Group
	cores *semaphore.Weighted
}

// at computes a place for twelve seconds on two of the cores.
func (m *model) at(place string) (any, error) {
	v, err, _ := m.once.Do(place, func() (any, error) { return m.compute(context.Background(), place) })
	return v, err
}

func (m *model) compute(ctx context.Context, place string) (any, error) {
	if err := m.cores.Acquire(ctx, 2); err != nil {
		return nil, err
	}
	defer m.cores.Release(2)
	time.Sleep(12 * time.Second)
	return place + ": rain", nil
}

// atlas computes many places, which wait for the cores.
func (m *model) atlas() {
	g, _ := errgroup.WithContext(context.Background())
	g.SetLimit(20)
	for i := range 30 {
		g.Go(func() error {
			_, err := m.at(fmt.Sprint("grid-", i))
			return err
		})
	}
	g.Wait()
}

func Main() {
	kit.Start()
	gin.SetMode(gin.ReleaseMode)
	m := &model{cores: semaphore.NewWeighted(9)}
	table := cron.New(cron.WithChain(cron.SkipIfStillRunning(cron.DiscardLogger)))
	table.AddFunc("@every 20s", m.atlas)
	table.Start()
	r := gin.New()
	r.GET("/:place", func(c *gin.Context) {
		v, err := m.at(c.Param("place"))
		c.JSON(http.StatusOK, gin.H{"forecast": v, "err": err})
	})
	url := kit.API(r)
	patient := &http.Client{Timeout: 10 * time.Minute}
	for i := 0; ; i++ {
		go func() {
			if answer, err := patient.Get(fmt.Sprint(url, "/town-", i/100)); err == nil {
				answer.Body.Close()
			}
		}()
		time.Sleep(700 * time.Millisecond)
	}
}
