// Package slowdisk is a pipeline of three stages, with four goroutines each, into a disk that takes a record in five
// seconds.
//
// It looks like stages that block each other (closed-circle, send-without-reader, loop-stuck, channel-send-leak): all of
// them wait to send, for the minute that passes between two records of a goroutine. The disk takes what they have.
package slowdisk

import (
	"context"

	"example.com/everyday/slowdisk/store"
	"example.com/services/kit"
	"golang.org/x/sync/errgroup"
)

type pipeline struct {
	raw, parsed, packed chan []byte
}

func (p *pipeline) read() error {
	for {
		p.raw <- make([]byte, 64)
	}
}

func (p *pipeline) parse() error {
	for record := range p.raw {
		p.parsed <- record[:32]
	}
	return nil
}

func (p *pipeline) pack() error {
	for record := range p.parsed {
		p.packed <- record[:16]
	}
	return nil
}

// Main runs the pipeline.
func Main() {
	kit.Start()
	p := &pipeline{make(chan []byte), make(chan []byte), make(chan []byte)}
	group, ctx := errgroup.WithContext(context.Background())
	for _, stage := range []func() error{p.read, p.parse, p.pack} {
		for range 4 {
			group.Go(stage)
		}
	}
	disk := store.New(0.2)
	group.Go(func() error { return disk.Drain(ctx, p.packed) })
	if err := group.Wait(); err != nil {
		panic(err)
	}
}
