package well

import (
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/busy/kit"
)

// Tiles are the newest ones, so many that they take 96 MB.
type Tiles struct {
	mu    sync.Mutex
	order []int
	by    map[int][]byte
}

// Tile draws a tile, or takes the one that was drawn.
func (t *Tiles) Tile(n int) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if tile, ok := t.by[n]; ok {
		return tile
	}
	tile := make([]byte, 32<<10)
	for i := range tile {
		tile[i] = byte(i * n)
	}
	t.by[n] = tile
	if t.order = append(t.order, n); len(t.order) > 3000 {
		delete(t.by, t.order[0])
		t.order = t.order[1:]
	}
	return tile
}

func tileStore() {
	kit.Start()
	t := &Tiles{by: map[int][]byte{}}
	var n atomic.Int64
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range 20 {
			t.Tile(int(n.Add(1)))
		}
	}), "/tile", 4, time.Millisecond, 0)
	kit.Wait()
}

// A Table has a row for each postcode.
type Table struct{ rows map[string][]string }

// readTable reads the table at the start.
func readTable(n int) *Table {
	t := &Table{rows: map[string][]string{}}
	for i := range n {
		t.rows[fmt.Sprintf("%06d", i)] = []string{"town " + strconv.Itoa(i), strings.Repeat("x", 200)}
	}
	return t
}

func tableWarm() {
	kit.Start()
	t := readTable(300_000)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, t.rows[r.URL.Query().Get("code")])
	}), "/town?code=012345", 4, 2*time.Millisecond, 0)
	kit.Wait()
}

// A place is a node of a tree of shops.
type place struct {
	x, y        float64
	left, right *place
}

// plant builds a tree.
func plant(all []place, byX bool) *place {
	if len(all) == 0 {
		return nil
	}
	mid := len(all) / 2
	return &place{all[mid].x, all[mid].y, plant(all[:mid], !byX), plant(all[mid+1:], !byX)}
}

// nearest looks for the shop next to a point.
func (p *place) nearest(x, y, best float64) float64 {
	if p == nil {
		return best
	}
	best = min(best, (p.x-x)*(p.x-x)+(p.y-y)*(p.y-y))
	best = p.left.nearest(x, y, best)
	return p.right.nearest(x, y, best)
}

func nearShops() {
	kit.Start()
	all := make([]place, 50000)
	for i := range all {
		all[i] = place{x: rand.Float64(), y: rand.Float64()}
	}
	tree := plant(all, true)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, tree.nearest(0.5, 0.5, 10))
	}), "/near", 3, 0, 0)
	kit.Wait()
}

// Held sessions end after three seconds.
type Held struct {
	mu sync.Mutex
	by map[int64][]byte
	n  int64
}

// open makes a session.
func (h *Held) open() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.n++
	n := h.n
	h.by[n] = make([]byte, 4000)
	time.AfterFunc(3*time.Second, func() {
		h.mu.Lock()
		delete(h.by, n)
		h.mu.Unlock()
	})
	return n
}

func sessionHold() {
	kit.Start()
	h := &Held{by: map[int64][]byte{}}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range 10 {
			h.open()
		}
		fmt.Fprint(w, h.n)
	}), "/session", 4, 2*time.Millisecond, 0)
	kit.Wait()
}

// dataLoad reads a large set of vectors before it serves: it is captured meanwhile.
func dataLoad() {
	kit.Start()
	var vectors [][]float32
	for len(vectors) < 400_000 {
		vectors = append(vectors, vector(len(vectors)))
		if len(vectors)%200 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	log.Print(len(vectors))
	kit.Wait()
}

// vector reads one vector.
func vector(n int) []float32 {
	v := make([]float32, 128)
	for i := range v {
		v[i] = float32(n*i) / 7
	}
	return v
}
