package main

import (
	"example.com/fixtures/stuck/internal/apply"
	"example.com/fixtures/stuck/internal/dispatch"
	"example.com/fixtures/stuck/internal/limiter"
	"example.com/fixtures/stuck/internal/outbox"
	"example.com/fixtures/stuck/internal/pipeline"
	"example.com/fixtures/stuck/internal/pool"
	"example.com/fixtures/stuck/internal/replies"
	"example.com/fixtures/stuck/internal/status"
	"example.com/fixtures/stuck/internal/watchhub"
)

// lockChannels wait for a channel, a counter or a condition under a lock that the other side needs.
func lockChannels() []kind {
	return []kind{
		{"mixed-send", status.Start, false, map[string]int{"status.(*Board).Set": 1, "status.(*Board).State": 1}},
		{"mixed-receive", replies.Start, true, map[string]int{"replies.(*Client).settle": 1, "replies.(*Client).ping": 6}},
		{"mixed-select", outbox.Start, false, map[string]int{"outbox.(*Outbox).Emit": 3, "outbox.(*Outbox).Close": 1}},
		{"mixed-result", dispatch.Start, true, map[string]int{"Run(": 1, "finish": 1, "Running": 10}},
		{"mixed-semaphore", limiter.Start, true, map[string]int{
			"limiter.(*Gate).Reset": 1, "limiter.(*Gate).account": 2, "limiter.(*Gate).request": 16,
		}},
		{"mixed-waitgroup", pool.Start, false, map[string]int{"pool.(*Pool).Close": 1, "pool.(*Pool).add": 5}},
		{"mixed-cond", pipeline.Start, false, map[string]int{
			"pipeline.(*Transfer).writeNext": 1, "pipeline.(*Transfer).readNext": 1, "pipeline.(*Transfer).progress": 1,
		}},
		{"mixed-watch", watchhub.Start, true, map[string]int{"watchhub.(*Hub).Broadcast": 1, "watchhub.(*Watcher).Stop": 1}},
		{"mixed-apply", apply.Start, true, map[string]int{"apply.(*Node).advance": 1, "apply.(*Node).client": 24}},
	}
}
