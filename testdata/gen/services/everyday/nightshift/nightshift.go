// Package nightshift runs jobs by gocron, three at a time; each takes minutes and waits for a warehouse.
//
// It looks like jobs that hang and a queue that is not served (semaphore-held, loops-pile-up, http-request-without-timeout,
// call-stuck): eight jobs, five of which wait in the scheduler. The warehouse answers after seven minutes.
package nightshift

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"github.com/go-co-op/gocron/v2"
)

func warehouse(w http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(7 * time.Minute):
	case <-r.Context().Done():
	}
}

type shift struct{ url string }

func (s *shift) load(table string) error {
	answer, err := http.Get(s.url + "/" + table)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// Main runs the jobs.
func Main() {
	kit.Start()
	s := &shift{kit.API(http.HandlerFunc(warehouse))}
	scheduler, err := gocron.NewScheduler(gocron.WithLimitConcurrentJobs(3, gocron.LimitModeWait))
	if err != nil {
		panic(err)
	}
	for _, table := range []string{"orders", "items", "clients", "shops", "prices", "stock", "taxes", "returns"} {
		_, err := scheduler.NewJob(
			gocron.DurationJob(30*time.Second), gocron.NewTask(s.load, table),
			gocron.WithSingletonMode(gocron.LimitModeReschedule),
		)
		if err != nil {
			panic(err)
		}
	}
	scheduler.Start()
	kit.Wait()
}
