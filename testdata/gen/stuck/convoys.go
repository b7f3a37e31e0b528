package main

import (
	"example.com/fixtures/stuck/internal/backoff"
	"example.com/fixtures/stuck/internal/dbconn"
	"example.com/fixtures/stuck/internal/device"
	"example.com/fixtures/stuck/internal/inventory"
)

// convoys are goroutines behind a lock whose holder waits for something outside.
func convoys() []kind {
	return []kind{
		{"convoy-network", dbconn.Start, true, map[string]int{"dbconn.(*Conn).Query": 21, "dbconn.(*Conn).readAnswer": 1}},
		{"convoy-sleep", backoff.Start, true, map[string]int{"backoff.(*Publisher).Publish#sleep": 16}},
		{"convoy-file", device.Start, false, map[string]int{"device.(*Device).Read": 11}},
		{"convoy-reader", inventory.Start, false, map[string]int{
			"inventory.(*Inventory).Verify": 1, "inventory.(*Inventory).book": 1, "inventory.(*Inventory).Count": 18,
		}},
	}
}
