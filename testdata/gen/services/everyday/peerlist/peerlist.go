// Package peerlist keeps a directory of the nodes of a cluster: each node gossips, and a page lists who is there.
package peerlist

import (
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/hashicorp/memberlist"
)

// events hands what the list reports to the directory, in order.
type events struct {
	changes chan string
}

func (e *events) NotifyJoin(n *memberlist.Node)   { e.changes <- "join " + n.Name }
func (e *events) NotifyLeave(n *memberlist.Node)  { e.changes <- "leave " + n.Name }
func (e *events) NotifyUpdate(n *memberlist.Node) { e.changes <- "update " + n.Name }

// A directory is the page of members, built anew at each change.
type directory struct {
	mu   sync.Mutex
	page string
	list *memberlist.Memberlist
}

func (d *directory) follow(changes <-chan string) {
	for change := range changes {
		d.locate(change)
		var names []string
		for _, n := range d.list.Members() {
			names = append(names, n.Name)
		}
		sort.Strings(names)
		d.mu.Lock()
		d.page = strings.Join(names, "\n")
		d.mu.Unlock()
	}
}

// locate asks the inventory for the rack of a node.
func (d *directory) locate(string) { time.Sleep(30 * time.Millisecond) }

func (d *directory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	page := d.page
	d.mu.Unlock()
	fmt.Fprintln(w, d.list.NumMembers(), "members")
	fmt.Fprintln(w, page)
}

func node(name string, ev memberlist.EventDelegate) *memberlist.Memberlist {
	c := memberlist.DefaultLocalConfig()
	c.Name, c.BindAddr, c.BindPort, c.AdvertisePort = name, "127.0.0.1", 0, 0
	c.Events, c.LogOutput = ev, io.Discard
	list, err := memberlist.Create(c)
	if err != nil {
		panic(err)
	}
	return list
}

func Main() {
	kit.Start()
	ev := &events{changes: make(chan string, 2)}
	own := node("front", ev)
	d := &directory{list: own}
	go d.follow(ev.changes)
	url := kit.API(d)
	kit.Ask(5, 100*time.Millisecond, url)
	seed := own.LocalNode().Address()
	for i := range 14 {
		go node(fmt.Sprintf("node-%02d", i), nil).Join([]string{seed})
	}
	time.Sleep(10 * time.Second)
	kit.Ask(12, 2*time.Second, url)
	kit.Wait()
}
