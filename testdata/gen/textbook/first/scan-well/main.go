// Command scan scans files with four slots of a semaphore; each is given back, and files take a while.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/textbook/kit"
	"golang.org/x/sync/semaphore"
)

var errBig = errors.New("too big")

type scanner struct {
	slots *semaphore.Weighted
}

func (s *scanner) scan(ctx context.Context, size int) error {
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.slots.Release(1)
	time.Sleep(80 * time.Millisecond)
	if size > 900 {
		return errBig
	}
	return nil
}

func main() {
	kit.Start()
	s := &scanner{slots: semaphore.NewWeighted(4)}
	for i := range 15 {
		go func() {
			for size := i; ; size += 101 {
				if err := s.scan(context.Background(), size%1000); err != nil {
					fmt.Println(size, err)
				}
			}
		}()
	}
	select {}
}
