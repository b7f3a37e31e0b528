// Package reminders sends reminders at their time; a reminder may set the next one.
package reminders

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/cron"
)

type Service struct{ cron *cron.Cron }

func (s *Service) remind() {
	s.cron.Schedule(time.Hour, s.remind)
}

func (s *Service) count(http.ResponseWriter, *http.Request) { s.cron.Len() }

func Main() {
	kit.Start()
	s := &Service{cron.New()}
	s.cron.Start()
	s.cron.Schedule(3*time.Second, s.remind)
	url := kit.API(http.HandlerFunc(s.count))
	kit.Ask(25, 200*time.Millisecond, url)
	kit.Wait()
}
