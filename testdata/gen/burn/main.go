// Command burn is a service that does one thing wrong, or nothing, and writes a profile of itself.
//
//	burn KIND --seconds S --out FILE [--profile cpu|heap|allocs|mutex|block|goroutine] [--debug 1]
//	burn list
package main

import (
	"os"

	"example.com/fixtures/burn/internal/certs"
	"example.com/fixtures/burn/internal/codec"
	"example.com/fixtures/burn/internal/files"
	"example.com/fixtures/burn/internal/heap"
	"example.com/fixtures/burn/internal/locks"
	"example.com/fixtures/burn/internal/logs"
	"example.com/fixtures/burn/internal/memory"
	"example.com/fixtures/burn/internal/network"
	"example.com/fixtures/burn/internal/sched"
	"example.com/fixtures/burn/internal/spin"
	"example.com/fixtures/burn/internal/well"
	"example.com/fixtures/burn/run"
)

func main() {
	var kinds []run.Kind
	for _, part := range [][]run.Kind{
		certs.Kinds(), codec.Kinds(), files.Kinds(), heap.Kinds(), inC(), locks.Kinds(), logs.Kinds(), memory.Kinds(), network.Kinds(),
		sched.Kinds(), spin.Kinds(), well.Kinds(),
	} {
		kinds = append(kinds, part...)
	}
	peers := network.Peers()
	if len(os.Args) > 2 {
		for name, peer := range well.Peers(os.Args[2]) {
			peers[name] = peer
		}
	}
	os.Exit(run.Main(os.Args[1:], kinds, peers))
}
