// Command thumbnail-gate makes thumbnails by an external converter, of which two may run at a time. Three hundred pictures
// of an import wait for their turn.
package main

import (
	"context"
	"log"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sync/semaphore"
	"wild/kit"
)

type gate struct{ slots *semaphore.Weighted }

// thumbnail makes one thumbnail when a slot is free.
func (g *gate) thumbnail(ctx context.Context, picture int) error {
	if err := g.slots.Acquire(ctx, 1); err != nil {
		return err
	}
	defer g.slots.Release(1)
	return convert(ctx, picture)
}

// convert runs the converter, whose stand-in takes three seconds.
func convert(ctx context.Context, picture int) error {
	return exec.CommandContext(ctx, "sleep", "3").Run()
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	g := &gate{slots: semaphore.NewWeighted(2)}
	for picture := 0; picture < 340; picture++ {
		picture := picture
		go func() {
			if err := g.thumbnail(ctx, picture); err != nil {
				log.Printf("picture %d: %v", picture, err)
			}
		}()
	}
	<-ctx.Done()
}
