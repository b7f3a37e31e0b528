package main

import (
	"example.com/fixtures/stuck/internal/bridge"
	"example.com/fixtures/stuck/internal/connlog"
	"example.com/fixtures/stuck/internal/coordinator"
	"example.com/fixtures/stuck/internal/election"
	"example.com/fixtures/stuck/internal/events"
	"example.com/fixtures/stuck/internal/feature"
	"example.com/fixtures/stuck/internal/fetch"
	"example.com/fixtures/stuck/internal/gather"
	"example.com/fixtures/stuck/internal/heartbeat"
	"example.com/fixtures/stuck/internal/mirror"
	"example.com/fixtures/stuck/internal/probe"
	"example.com/fixtures/stuck/internal/stream"
	"example.com/fixtures/stuck/internal/tenant"
	"example.com/fixtures/stuck/internal/upload"
	"example.com/fixtures/stuck/internal/walk"
)

// leaks are goroutines that nobody will ever hear of again.
func leaks() []kind {
	return []kind{
		{"send-timeout", fetch.Start, true, map[string]int{"created by example.com/fixtures/stuck/internal/fetch.(*Client).Get": 40}},
		{"send-two-errors", probe.Start, false, map[string]int{"probe.dial": 7}},
		{"send-consumer-left", walk.Start, true, map[string]int{"created by example.com/fixtures/stuck/internal/walk.scan": 5}},
		{"send-iterator", stream.Start, false, map[string]int{"created by example.com/fixtures/stuck/internal/stream.": 12}},
		{"send-twice", upload.Start, false, map[string]int{"upload.(*Upload).send": 15}},
		{"send-queue-full", events.Start, true, map[string]int{"events.(*Recorder).Event": 60}},
		{"receive-range", connlog.Start, true, map[string]int{"connlog.(*conn).writeLog": 20}},
		{"receive-reply", coordinator.Start, false, map[string]int{"coordinator.(*Coordinator).Commit": 9}},
		{"receive-owner-left", tenant.Start, true, map[string]int{"tenant.(*Tenant).work": 25}},
		{"receive-done", heartbeat.Start, false, map[string]int{"heartbeat.(*Lease).cleanUp": 4}},
		{"receive-one-more", gather.Start, true, map[string]int{"gather.Majority": 1}},
		{"nil-receive", feature.Start, true, map[string]int{"feature.(*Flags).follow": 1}},
		{"nil-send", feature.StartAudit, false, map[string]int{"feature.(*Flags).Set": 6}},
		{"select-context", election.Start, true, map[string]int{"election.(*Session).observe": 30}},
		{"select-other-stop", mirror.Start, false, map[string]int{"mirror.(*helper).run": 8}},
		{"select-dead", bridge.Start, true, map[string]int{"bridge.(*link).forward": 11}},
	}
}
