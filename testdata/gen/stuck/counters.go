package main

import (
	"example.com/fixtures/stuck/internal/backup"
	"example.com/fixtures/stuck/internal/drain"
	"example.com/fixtures/stuck/internal/images"
	"example.com/fixtures/stuck/internal/latch"
	"example.com/fixtures/stuck/internal/shards"
	"example.com/fixtures/stuck/internal/turnstile"
)

// counters wait for a WaitGroup or a condition that nobody will bring about.
func counters() []kind {
	return []kind{
		{"waitgroup-add-failed", images.Start, false, map[string]int{"images.(*Puller).PullAll": 1}},
		{"waitgroup-in-loop", shards.Start, true, map[string]int{"shards.FlushAll": 1}},
		{"waitgroup-early-return", backup.Start, false, map[string]int{"backup.(*Job).Run": 6}},
		{"cond-early-signal", latch.Start, true, map[string]int{"latch.(*Latch).await": 1}},
		{"cond-one-signal", turnstile.Start, false, map[string]int{"turnstile.(*Turnstile).Enter": 6}},
		{"cond-no-signal", drain.Start, false, map[string]int{"drain.(*Counter).Drain": 1}},
	}
}
