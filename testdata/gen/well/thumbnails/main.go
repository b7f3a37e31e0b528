// Command thumbnails makes small images of large ones over golang.org/x: groups with a limit, a weighted semaphore, calls
// that are shared by all who want the same, and a limit of rate with a queue before it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"example.com/well/dumper"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "thumbnails:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	s := &studio{memory: semaphore.NewWeighted(64), provider: rate.NewLimiter(40, 1)}
	g, ctx := errgroup.WithContext(ctx)
	for album := range 3 {
		g.Go(func() error { return s.albums(ctx, album) })
	}
	for range 16 {
		g.Go(func() error { return s.enlarge(ctx) })
	}
	for range 20 {
		g.Go(func() error { return s.fetch(ctx) })
	}
	g.Go(func() error { return s.visitors(ctx, 30) })
	dumper.Ready()
	return g.Wait()
}

// A studio has so much memory, a provider that allows so many requests, and templates that are made when they are needed.
type studio struct {
	memory    *semaphore.Weighted
	provider  *rate.Limiter
	templates singleflight.Group
}

// albums shrinks album after album: four images at a time.
func (s *studio) albums(ctx context.Context, album int) error {
	for ctx.Err() == nil {
		var images errgroup.Group
		images.SetLimit(4)
		for image := range 20 {
			images.Go(func() error { return shrink(ctx, album, image) })
		}
		if err := images.Wait(); err != nil {
			return fmt.Errorf("album %d: %w", album, err)
		}
	}
	return nil
}

func shrink(ctx context.Context, album, image int) error {
	pixels := make([]byte, 1<<16)
	for i := range pixels {
		pixels[i] = byte(i*album + image)
	}
	select {
	case <-time.After(time.Duration(10+image) * time.Millisecond):
		return nil
	case <-ctx.Done():
		return nil
	}
}

// enlarge takes much memory for a moment.
func (s *studio) enlarge(ctx context.Context) error {
	for weight := int64(8); ; weight = weight%32 + 4 {
		if err := s.memory.Acquire(ctx, weight); err != nil {
			return nil
		}
		time.Sleep(15 * time.Millisecond)
		s.memory.Release(weight)
	}
}

// fetch asks the provider as often as it allows.
func (s *studio) fetch(ctx context.Context) error {
	for {
		if err := s.provider.Wait(ctx); err != nil {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// visitors want the same template at the same time, n of them; then another.
func (s *studio) visitors(ctx context.Context, n int) error {
	for template := 0; ctx.Err() == nil; template++ {
		var page errgroup.Group
		for i := range n {
			page.Go(func() error {
				if i%2 == 0 {
					_, err, _ := s.templates.Do(fmt.Sprint(template), makeTemplate)
					return err
				}
				return (<-s.templates.DoChan(fmt.Sprint(template), makeTemplate)).Err
			})
		}
		if err := page.Wait(); err != nil {
			return fmt.Errorf("template %d: %w", template, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

func makeTemplate() (any, error) {
	time.Sleep(150 * time.Millisecond)
	return make([]byte, 1024), nil
}
