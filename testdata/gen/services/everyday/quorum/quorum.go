// Package quorum is three nodes of hashicorp's raft in one process: a leader that sends heartbeats, and no entries.
//
// It looks like loops that wait for each other (loop-stuck, closed-circle, requests-wait-for-nobody). Requests wait for
// their entry to be applied, one each ten seconds.
package quorum

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/services/kit"
	"github.com/hashicorp/raft"
)

// A tally is the state that the nodes agree on.
type tally struct{ n int }

func (t *tally) Apply(*raft.Log) any                 { t.n++; return t.n }
func (t *tally) Snapshot() (raft.FSMSnapshot, error) { return t, nil }
func (t *tally) Restore(r io.ReadCloser) error       { return r.Close() }
func (t *tally) Persist(s raft.SnapshotSink) error   { return s.Close() }
func (t *tally) Release()                            {}

type node struct{ *raft.Raft }

func (n node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := n.Apply([]byte("1"), 5*time.Second).Error(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

// Main starts three nodes.
func Main() {
	kit.Start()
	var servers []raft.Server
	var wires []*raft.InmemTransport
	for i := range 3 {
		address, wire := raft.NewInmemTransport("")
		servers = append(servers, raft.Server{ID: raft.ServerID(fmt.Sprint(i)), Address: address})
		wires = append(wires, wire)
	}
	for i, wire := range wires {
		for j, other := range wires {
			if i != j {
				wire.Connect(servers[j].Address, other)
			}
		}
		config, store := raft.DefaultConfig(), raft.NewInmemStore()
		config.LocalID, config.LogOutput = servers[i].ID, io.Discard
		r, err := raft.NewRaft(config, new(tally), store, store, raft.NewInmemSnapshotStore(), wire)
		if err != nil {
			panic(err)
		}
		if i == 0 {
			r.BootstrapCluster(raft.Configuration{Servers: servers})
		}
		url := kit.API(node{r})
		go func() {
			for range time.Tick(10 * time.Second) {
				kit.Get(url)
			}
		}()
	}
	kit.Wait()
}
