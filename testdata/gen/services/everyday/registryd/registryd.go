// Package registryd keeps names in a replicated log; a name that expires is dropped through the log as well.
package registryd

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/hashicorp/raft"
)

// A machine applies what the log says.
type machine struct {
	mu    sync.Mutex
	names map[string]string
	log   *raft.Raft
}

// Apply does one command: "set NAME VALUE" or "drop NAME". There is room for twenty names: the oldest goes.
func (m *machine) Apply(l *raft.Log) any {
	words := strings.Fields(string(l.Data))
	m.mu.Lock()
	defer m.mu.Unlock()
	switch words[0] {
	case "set":
		m.names[words[1]] = words[2]
		if len(m.names) > 20 {
			return m.log.Apply([]byte("drop "+words[1]), 0).Error()
		}
	case "drop":
		delete(m.names, words[1])
	}
	return nil
}

type snapshot string

func (s snapshot) Persist(sink raft.SnapshotSink) error {
	io.WriteString(sink, string(s))
	return sink.Close()
}
func (s snapshot) Release() {}

func (m *machine) Snapshot() (raft.FSMSnapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return snapshot(fmt.Sprint(m.names)), nil
}
func (m *machine) Restore(r io.ReadCloser) error { return r.Close() }

func (m *machine) get(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintln(w, m.names[r.URL.Query().Get("name")])
}

func (m *machine) set(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	err := m.log.Apply([]byte("set "+q.Get("name")+" "+q.Get("value")), 2*time.Second).Error()
	fmt.Fprintln(w, err)
}

// boot starts three members in one process; the first leads before long.
func boot(n int) []*machine {
	var members []*machine
	var servers []raft.Server
	var transports []*raft.InmemTransport
	for i := range n {
		id := fmt.Sprint("member-", i)
		_, t := raft.NewInmemTransport(raft.ServerAddress(id))
		transports = append(transports, t)
		servers = append(servers, raft.Server{ID: raft.ServerID(id), Address: raft.ServerAddress(id)})
	}
	for i, t := range transports {
		for j, other := range transports {
			if i != j {
				t.Connect(servers[j].Address, other)
			}
		}
		c := raft.DefaultConfig()
		c.LocalID, c.LogOutput = servers[i].ID, io.Discard
		m := &machine{names: map[string]string{}}
		store := raft.NewInmemStore()
		var err error
		m.log, err = raft.NewRaft(c, m, store, store, raft.NewInmemSnapshotStore(), t)
		if err != nil {
			panic(err)
		}
		m.log.BootstrapCluster(raft.Configuration{Servers: servers})
		members = append(members, m)
	}
	return members
}

func Main() {
	kit.Start()
	members := boot(3)
	var leader *machine
	for leader == nil {
		time.Sleep(200 * time.Millisecond)
		for _, m := range members {
			if m.log.State() == raft.Leader {
				leader = m
			}
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/get", leader.get)
	mux.HandleFunc("/set", leader.set)
	url := kit.API(mux)
	for i := range 30 {
		kit.Ask(1, 100*time.Millisecond, fmt.Sprintf("%s/set?name=n%d&value=v%d", url, i, i))
	}
	kit.Ask(20, 3*time.Second, url+"/get?name=n3")
	kit.Wait()
}
