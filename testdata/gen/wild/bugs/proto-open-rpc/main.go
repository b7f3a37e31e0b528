// Command proto-open-rpc is a catalog of the services of a company: it reads their .proto files and lists what can be
// called.
//
// Report: https://github.com/emicklei/proto/issues/121
package main

import (
	"fmt"
	"log"
	"os"
	"os/signal"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/emicklei/proto"

	"wild/kit"
)

// A file is a .proto file that a team has pushed.
type file struct {
	name, text string
}

// shop is a file as it should be.
const shop = `syntax = "proto3";
package shop;
service Orders {
  rpc Place (Order) returns (Receipt) {
    option deprecated = true;
  }
  rpc Cancel (Receipt) returns (Order);
}
message Order { string item = 1; }
message Receipt { string number = 1; }
`

// A catalog knows the calls of every service.
type catalog struct {
	mu    sync.Mutex
	calls map[string][]string
}

// load reads a file.
func load(f file) (map[string][]string, error) {
	p := proto.NewParser(strings.NewReader(f.text))
	p.Filename(f.name)
	definition, err := p.Parse()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	calls := make(map[string][]string)
	service := ""
	proto.Walk(definition,
		proto.WithService(func(s *proto.Service) { service = s.Name }),
		proto.WithRPC(func(r *proto.RPC) { calls[service] = append(calls[service], r.Name) }))
	return calls, nil
}

// update takes files in the order in which they come.
func (c *catalog) update(files <-chan file) {
	for f := range files {
		calls, err := load(f)
		if err != nil {
			log.Print(err)
			continue
		}
		c.mu.Lock()
		for service, names := range calls {
			sort.Strings(names)
			c.calls[service] = names
		}
		c.mu.Unlock()
	}
}

// size is how many calls there are.
func (c *catalog) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, names := range c.calls {
		n += len(names)
	}
	return n
}

func main() {
	kit.Serve()
	c := &catalog{calls: make(map[string][]string)}
	files := make(chan file, 16)
	go c.update(files)
	files <- file{"shop.proto", shop}
	time.AfterFunc(time.Second, func() { files <- file{"mail.proto", mail} })
	go func() {
		for range time.Tick(time.Minute) {
			log.Printf("%d calls", c.size())
		}
	}()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
