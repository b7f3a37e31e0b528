package main

import (
	"crypto/sha256"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"
)

type parcel struct {
	ID     int               `json:"id"`
	Labels map[string]string `json:"labels"`
	Stops  []string          `json:"stops"`
}

// decodeForever is n workers that have always something to decode.
func decodeForever(n int) {
	in := parcel{ID: 1, Labels: map[string]string{"from": "north", "to": "south"}}
	for i := 0; i < 200; i++ {
		in.Stops = append(in.Stops, "a stop on the way")
	}
	text, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	for i := 0; i < n; i++ {
		go decodeParcels(text)
	}
}

var decoded int64

func decodeParcels(text []byte) {
	for {
		var p parcel
		if err := json.Unmarshal(text, &p); err != nil {
			panic(err)
		}
		atomic.AddInt64(&decoded, 1)
	}
}

// wakeForever wakes thirty waiters every few microseconds.
func wakeForever() {
	var mu sync.Mutex
	turn := sync.NewCond(&mu)
	for i := 0; i < 30; i++ {
		go awaitTurns(turn)
	}
	go callTurns(turn)
}

func awaitTurns(turn *sync.Cond) {
	turn.L.Lock()
	defer turn.L.Unlock()
	for {
		turn.Wait()
	}
}

func callTurns(turn *sync.Cond) {
	for {
		turn.Broadcast()
		time.Sleep(50 * time.Microsecond)
	}
}

var ticks int64

func countTicks() {
	for range time.NewTicker(time.Millisecond).C {
		atomic.AddInt64(&ticks, 1)
	}
}

var sum uint64

// hashForever is n workers that hash and add to a common sum without a lock.
func hashForever(n int) {
	for i := 0; i < n; i++ {
		go hashBlocks(byte(i))
	}
}

func hashBlocks(seed byte) {
	block := make([]byte, 1<<16)
	block[0] = seed
	for {
		digest := sha256.Sum256(block)
		copy(block, digest[:])
		addToSum(uint64(digest[0]))
	}
}

func addToSum(n uint64) {
	for {
		old := atomic.LoadUint64(&sum)
		if atomic.CompareAndSwapUint64(&sum, old, old+n) {
			return
		}
	}
}
