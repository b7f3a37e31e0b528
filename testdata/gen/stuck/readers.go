package main

import (
	"example.com/fixtures/stuck/internal/authz"
	"example.com/fixtures/stuck/internal/fleet"
	"example.com/fixtures/stuck/internal/ring"
	"example.com/fixtures/stuck/internal/schema"
	"example.com/fixtures/stuck/internal/zone"
)

// readerRecursions read again, or wait for one who does, while a writer stands between.
func readerRecursions() []kind {
	return []kind{
		{"reader-helper", authz.Start, true, map[string]int{"authz.(*Policy).roleOf": 1, "authz.(*Policy).Replace": 1, "authz.(*Policy).Allowed": 31}},
		{"reader-twice", schema.Start, false, map[string]int{"schema.(*Tables).Describe": 1, "schema.(*Tables).alter": 1}},
		{"reader-channel", zone.Start, false, map[string]int{
			"zone.(*Zone).Export": 1, "zone.(*Zone).lookup": 1, "zone.(*Zone).Add": 1,
		}},
		{"reader-closure", fleet.Start, true, map[string]int{"fleet.(*Fleet).Total": 1, "fleet.join": 1, "fleet.(*Fleet).Each": 2}},
		{"reader-waitgroup", ring.Start, false, map[string]int{"ring.(*Ring).Probe": 4, "ring.(*Ring).owns": 3, "ring.(*Ring).leave": 1}},
	}
}
