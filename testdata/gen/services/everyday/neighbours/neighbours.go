// Package neighbours is a cluster of five nodes of memberlist, which know each other and have nothing to say.
//
// It looks like loops without work (loops-pile-up, channel-receive-leak, select-leak). A node that fails is noticed by
// the probes that each sends once a second.
package neighbours

import (
	"fmt"
	"io"
	"time"

	"example.com/services/kit"
	"github.com/hashicorp/memberlist"
)

// events are the changes that a node hears of.
type events struct{ changes chan memberlist.NodeEvent }

func (e *events) follow() {
	for range e.changes {
	}
}

func node(i int, join ...string) *memberlist.Memberlist {
	config, e := memberlist.DefaultLocalConfig(), &events{make(chan memberlist.NodeEvent, 16)}
	config.Name, config.BindAddr, config.BindPort = fmt.Sprint("node-", i), "127.0.0.1", 0
	config.LogOutput, config.Events = io.Discard, &memberlist.ChannelEventDelegate{Ch: e.changes}
	list, err := memberlist.Create(config)
	if err != nil {
		panic(err)
	}
	go e.follow()
	if _, err := list.Join(join); err != nil {
		panic(err)
	}
	return list
}

// Main starts five nodes.
func Main() {
	kit.Start()
	first := node(0)
	for i := range 4 {
		node(i+1, first.LocalNode().Address())
		time.Sleep(100 * time.Millisecond)
	}
	kit.Wait()
}
