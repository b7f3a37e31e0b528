// Package groupget answers from a cache that asks a backend.
package groupget

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/kit"
	"example.net/lib/flights"
)

type cache struct {
	group flights.Group
	asked atomic.Int64
	slow  bool
}

func (c *cache) load() string {
	if c.asked.Add(1) == 3 && !c.slow {
		var rows []string
		return rows[1]
	}
	if c.slow {
		time.Sleep(3 * time.Second)
	}
	return "value"
}

func (c *cache) get(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintln(w, c.group.Do("key", c.load))
}

func Main(fixed bool) {
	kit.Start()
	c := &cache{slow: fixed}
	c.group.Safe = fixed
	url := kit.API(http.HandlerFunc(c.get))
	if fixed {
		kit.Ask(9000, 300*time.Millisecond, url)
	}
	kit.Ask(12, 300*time.Millisecond, url)
	kit.Wait()
}
