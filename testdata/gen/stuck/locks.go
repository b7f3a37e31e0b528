package main

import (
	"example.com/fixtures/stuck/internal/broker"
	"example.com/fixtures/stuck/internal/cache"
	"example.com/fixtures/stuck/internal/catalog"
	"example.com/fixtures/stuck/internal/config"
	"example.com/fixtures/stuck/internal/gossip"
	"example.com/fixtures/stuck/internal/hooks"
	"example.com/fixtures/stuck/internal/loader"
	"example.com/fixtures/stuck/internal/logsink"
	"example.com/fixtures/stuck/internal/mount"
	"example.com/fixtures/stuck/internal/node"
	"example.com/fixtures/stuck/internal/podworker"
	"example.com/fixtures/stuck/internal/raft"
	"example.com/fixtures/stuck/internal/session"
	"example.com/fixtures/stuck/internal/shard"
	"example.com/fixtures/stuck/internal/supervisor"
	"example.com/fixtures/stuck/internal/volumes"
)

// doubleLocks take a lock that the same goroutine holds already.
func doubleLocks() []kind {
	return []kind{
		{"double-method", cache.Start, false, map[string]int{"cache.(*Store).Flush": 1, "cache.(*Store).serve": 12}},
		{"double-continue", podworker.Start, false, map[string]int{"podworker.(*Workers).syncLoop": 1, "podworker.(*Workers).report": 3}},
		{"double-error-path", session.Start, true, map[string]int{"session.handle": 9, "session.(*Manager).expire": 1}},
		{"double-callback", hooks.Start, false, map[string]int{"hooks.(*List).Remove": 1}},
		{"double-upgrade", catalog.Start, true, map[string]int{"catalog.(*Index).insert": 1, "catalog.(*Index).find": 5}},
		{"double-downgrade", config.Start, false, map[string]int{"config.(*Source).Reload": 1, "config.(*Source).poll": 2}},
		{"double-embedded", volumes.Start, true, map[string]int{"volumes.(*Table).Attached": 1, "volumes.(*Table).reconcile": 7}},
		{"double-once", loader.Start, false, map[string]int{"loader.(*Loader).resolve": 1, "loader.(*Loader).serve": 4}},
		{"double-fatal", logsink.Start, true, map[string]int{"logsink.(*Sink).Sync": 1, "logsink.request": 30}},
		{"double-generic", cache.StartLRU, true, map[string]int{"cache.fill": 1, "Len": 1}},
		{"double-defer", supervisor.Start, false, map[string]int{"supervisor.(*Supervisor).Stop": 1, "supervisor.(*Supervisor).stats": 2}},
	}
}

// lockCycles take two or more locks in different orders.
func lockCycles() []kind {
	return []kind{
		{"cycle-two-types", node.Start, true, map[string]int{
			"node.(*Pod).terminate": 1, "node.(*Node).release": 1, "node.(*Pod).Phase": 4, "node.(*Node).Allocatable": 4,
		}},
		{"cycle-two-instances", gossip.Start, false, map[string]int{"gossip.(*Peer).Merge": 2}},
		{"cycle-three", raft.Start, true, map[string]int{
			"raft.(*Snapshots).Last": 1, "raft.(*Snapshots).Send": 1, "raft.(*Transport).replicate": 1, "raft.status": 1,
		}},
		{"cycle-mutex-rwmutex", broker.Start, false, map[string]int{
			"broker.(*Subscription).push": 1, "broker.(*Topic).drop": 1, "broker.(*Topic).Size": 10,
		}},
		{"cycle-keyed", mount.Start, true, map[string]int{"mount.(*Manager).record": 1, "mount.(*Manager).Unmount": 1, "mount.(*Manager).Mount": 5}},
		{"cycle-once-mutex", loader.StartRegistry, false, map[string]int{"loader.(*Registry).build": 1, "loader.(*Registry).Register": 1}},
		{"cycle-generic", shard.Start, true, map[string]int{"MoveTo": 2, "put": 2, "Get": 20}},
	}
}
