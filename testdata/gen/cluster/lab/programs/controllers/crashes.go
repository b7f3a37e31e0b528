package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// A catalog counts words. Nobody makes its map.
type catalog struct{ words map[string]int }

// runCatalog reads for a while and then stores what it read.
func runCatalog(ctx context.Context, _ *rest.Config, _ kubernetes.Interface) error {
	c := &catalog{}
	every(ctx, *pace, func(i int) {
		klog.InfoS("Reading the catalog", "page", i)
		if i == 4 {
			c.add("lamp")
		}
	})
	return nil
}

//go:noinline
func (c *catalog) add(word string) { c.words[word]++ }

// A merger takes items from feeds in turn.
type merger struct {
	feeds [][]string
	at    int
}

// runMerger merges in a goroutine of its own; a feed ends before the others.
func runMerger(ctx context.Context, _ *rest.Config, _ kubernetes.Interface) error {
	m := &merger{feeds: [][]string{{"a1", "a2", "a3"}, {"b1", "b2"}}}
	go every(ctx, *pace, func(i int) { klog.InfoS("Merged", "item", m.next(i), "round", i) })
	every(ctx, time.Second, func(i int) { klog.V(1).InfoS("Feeds", "count", fmt.Sprint(len(m.feeds))) })
	return nil
}

//go:noinline
func (m *merger) next(i int) string {
	feed := m.feeds[i%len(m.feeds)]
	return feed[i/len(m.feeds)]
}
