package ingest

import (
	"context"
	"slices"
	"sync"
)

// gather walks and returns all sources in order. What has random access may still be read afterwards.
func gather(args []string, o Options) ([]Source, []Skip) {
	var mu sync.Mutex
	var all []Source
	skips := Walk(context.Background(), args, o, func(s Source) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, s)
	})
	slices.SortFunc(all, Source.Compare)
	return all, skips
}
