// Command tile-cache serves map tiles from memory. The cache has a bound, which it reaches in the first minute, and drops
// the tile that was asked for longest ago.
package main

import (
	"container/list"
	"log"
	"math/rand"
	"sync"
	"time"

	"wild/kit"
)

const bound = 3000 // tiles of 40 KB

type tile struct {
	key  int
	data []byte
}

type cache struct {
	mu    sync.Mutex
	order *list.List
	tiles map[int]*list.Element
	hits  int
}

// get returns a tile, drawn anew if it is not in the cache.
func (c *cache) get(key int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.tiles[key]; ok {
		c.order.MoveToFront(e)
		c.hits++
		return e.Value.(*tile).data
	}
	t := &tile{key, drawTile(key)}
	c.tiles[key] = c.order.PushFront(t)
	if c.order.Len() > bound {
		last := c.order.Remove(c.order.Back()).(*tile)
		delete(c.tiles, last.key)
	}
	return t.data
}

func drawTile(key int) []byte {
	data := make([]byte, 40<<10)
	for i := range data {
		data[i] = byte(key + i)
	}
	return data
}

func main() {
	kit.Serve()
	c := &cache{order: list.New(), tiles: map[int]*list.Element{}}
	for n := 0; ; n++ {
		go c.get(rand.Intn(6000))
		if n%1000 == 0 {
			log.Printf("%d requests", n)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
