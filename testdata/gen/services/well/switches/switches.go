// Package switches follows switches; those that never change have no channel.
package switches

import (
	"context"
	"time"

	"example.com/services/kit"
)

type Switch struct{ changes chan bool }

func (s *Switch) follow(ctx context.Context) {
	for {
		select {
		case <-s.changes:
		case <-ctx.Done():
			return
		}
	}
}

func Main() {
	kit.Start()
	for i := range 70 {
		s := &Switch{}
		if i%7 == 0 {
			s.changes = make(chan bool)
		}
		go s.follow(context.Background())
		time.Sleep(20 * time.Millisecond)
	}
	<-context.Background().Done()
}
