// Package consensus applies entries that a majority has and proposes what applying them brings about.
package consensus

import (
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/kit"
)

type entry struct{ id int }

type Node struct {
	propose chan entry
	commit  chan []entry
	log     []entry
}

// run is the loop of the state machine: it takes proposals and passes on what is committed.
func (n *Node) run() {
	for e := range n.propose {
		n.log = append(n.log, e)
		time.Sleep(time.Millisecond)
		n.commit <- []entry{e}
	}
}

// apply executes what is committed. Every tenth entry makes another one.
func (n *Node) apply() {
	for es := range n.commit {
		for _, e := range es {
			if e.id%10 == 0 {
				n.Propose(entry{e.id + 1})
			}
		}
	}
}

func (n *Node) Propose(e entry) { n.propose <- e }

func Main() {
	kit.Start()
	n := &Node{propose: make(chan entry), commit: make(chan []entry)}
	go n.run()
	go n.apply()
	var last atomic.Int64
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { n.Propose(entry{int(last.Add(1))}) }))
	kit.Ask(33, 40*time.Microsecond, url)
	kit.Wait()
}
