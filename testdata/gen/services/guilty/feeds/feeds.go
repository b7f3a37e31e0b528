// Package feeds follows topics on behalf of requests.
package feeds

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
)

type Feed struct{ last string }

// follow keeps a feed fresh until its context ends.
func (f *Feed) follow(ctx context.Context, updates <-chan string) {
	for {
		select {
		case u := <-updates:
			f.last = u
		case <-ctx.Done():
			return
		}
	}
}

type Service struct{ base context.Context }

func (s *Service) show(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(s.base)
	f, updates := &Feed{}, make(chan string)
	go f.follow(ctx, updates)
	select {
	case updates <- "news":
	case <-r.Context().Done():
		cancel()
		return
	}
	fmt.Fprintln(w, f.last)
	context.AfterFunc(ctx, cancel)
}

func Main() {
	kit.Start()
	s := &Service{context.Background()}
	url := kit.API(http.HandlerFunc(s.show))
	kit.Ask(250, 30*time.Millisecond, url)
	kit.Ask(1000, 3*time.Second, url)
}
