package run

import (
	"context"
	"encoding/json"
	"hash/crc32"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Chores are what a service does besides: a little of everything, nothing of it much.
type Chores struct {
	debt   time.Duration
	round  int
	seen   map[string]int
	recent []int
	buffer []byte
}

// Spend does chores for about d. What is less than one chore is owed.
func (c *Chores) Spend(d time.Duration) {
	for c.debt += d; c.debt > 0; {
		start := time.Now()
		c.one()
		c.debt -= time.Since(start)
	}
}

// Background does chores for one part in seven of the time, until ctx ends: for what has no loop to do them between.
func Background(ctx context.Context) {
	var c Chores
	tick := time.NewTicker(40 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			c.Spend(6 * time.Millisecond)
		}
	}
}

func (c *Chores) one() {
	c.round++
	switch c.round % 6 {
	case 0:
		c.renderPage()
	case 1:
		c.countKeys()
	case 2:
		c.readEvent()
	case 3:
		c.checksum()
	case 4:
		c.median()
	case 5:
		c.layout()
	}
}

func (c *Chores) renderPage() {
	var b strings.Builder
	b.Grow(4096)
	for i := 0; i < 60; i++ {
		b.WriteString("row ")
		b.WriteString(strconv.Itoa(c.round + i))
		b.WriteByte('\n')
	}
	c.buffer = append(c.buffer[:0], b.String()...)
}

func (c *Chores) countKeys() {
	if c.seen == nil {
		c.seen = make(map[string]int, 256)
		for i := 0; i < 200; i++ {
			c.seen["key-"+strconv.Itoa(i)] = i
		}
	}
	for key := range c.seen {
		c.seen[key]++
	}
}

type event struct {
	Name  string   `json:"name"`
	Count int      `json:"count"`
	Tags  []string `json:"tags"`
}

var eventText = []byte(`{"name":"scheduled","count":7,"tags":["a","b","c"]}`)

func (c *Chores) readEvent() {
	var e event
	if json.Unmarshal(eventText, &e) == nil {
		c.round += e.Count
	}
}

func (c *Chores) checksum() {
	if cap(c.buffer) < 8192 {
		c.buffer = make([]byte, 8192)
	}
	c.round += int(crc32.ChecksumIEEE(c.buffer[:8192]) & 1)
}

func (c *Chores) median() {
	if c.recent == nil {
		c.recent = make([]int, 128)
	}
	for i := range c.recent {
		c.recent[i] = (c.round * (i + 31)) % 1009
	}
	sort.Ints(c.recent)
}

// layout is arithmetic: a box model over some rows.
func (c *Chores) layout() {
	x, sum := c.round, 0
	for i := 0; i < 6000; i++ {
		x = x*1103515245 + 12345
		sum += x >> 16 & 0xff
	}
	c.round += sum & 1
}
