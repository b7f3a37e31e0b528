package well

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"log"
	"math"
	"math/rand"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/busy/kit"
)

// scale halves a picture.
func scale(in *image.RGBA) *image.RGBA {
	b := in.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx()/2, b.Dy()/2))
	for y := range b.Dy() / 2 {
		for x := range b.Dx() / 2 {
			p, q := in.RGBAAt(2*x, 2*y), in.RGBAAt(2*x+1, 2*y+1)
			out.SetRGBA(x, y, color.RGBA{uint8((int(p.R) + int(q.R)) / 2), uint8((int(p.G) + int(q.G)) / 2), p.B, 255})
		}
	}
	return out
}

func pictureScale() {
	kit.Start()
	jobs := make(chan *image.RGBA)
	for range 4 {
		go func() {
			for in := range jobs {
				for in.Bounds().Dx() > 16 {
					in = scale(in)
				}
			}
		}()
	}
	go func() {
		for {
			jobs <- image.NewRGBA(image.Rect(0, 0, 1024, 1024))
			time.Sleep(time.Millisecond)
		}
	}()
	kit.Wait()
}

type body struct{ x, y, vx, vy, m float64 }

// step moves all bodies.
func step(all []body, dt float64) {
	for i := range all {
		for k := range all {
			if i != k {
				dx, dy := all[k].x-all[i].x, all[k].y-all[i].y
				f := all[k].m / math.Pow(dx*dx+dy*dy+0.01, 1.5)
				all[i].vx, all[i].vy = all[i].vx+f*dx*dt, all[i].vy+f*dy*dt
			}
		}
	}
	for i := range all {
		all[i].x, all[i].y = all[i].x+all[i].vx*dt, all[i].y+all[i].vy*dt
	}
}

// orbitBatch computes in main itself, as a batch does.
func orbitBatch() {
	kit.Start()
	all := make([]body, 60)
	for i := range all {
		all[i] = body{rand.Float64(), rand.Float64(), 0, 0, 1}
	}
	for n := 0; n < 10_000_000; n++ {
		step(all, 0.001)
	}
	log.Print(all[0].x)
}

// count looks for queens that do not see each other.
func count(n int, columns, left, right uint32) (found int) {
	full := uint32(1)<<n - 1
	if columns == full {
		return 1
	}
	for free := full &^ (columns | left | right); free != 0; {
		bit := free & -free
		free ^= bit
		found += count(n, columns|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return found
}

func moveSearch() {
	kit.Start()
	done := make(chan int)
	go func() { done <- count(17, 0, 0, 0) }()
	log.Print(<-done)
	kit.Wait()
}

// rowImport reads rows into tables, a file after the other.
func rowImport() {
	kit.Start()
	var file strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&file, "%d;customer %d;%d.%02d\n", i, i%900, i%700, i%100)
	}
	for n := 0; ; n++ {
		sums := map[string]float64{}
		for line := range strings.Lines(file.String()) {
			parts := strings.Split(strings.TrimSpace(line), ";")
			v, err := strconv.ParseFloat(parts[2], 64)
			if err == nil {
				sums[parts[1]] += v
			}
		}
	}
}

// An Index has the documents of each term.
type Index struct {
	terms map[string][]int32
	docs  int
}

// add indexes a document.
func (x *Index) add(text []byte) {
	x.docs++
	for _, w := range bytes.Fields(text) {
		list := x.terms[string(w)]
		if len(list) > 0 && list[len(list)-1] == int32(x.docs) {
			continue
		}
		x.terms[string(w)] = append(list, int32(x.docs))
	}
}

func termIndex() {
	kit.Start()
	go func() {
		for { // a segment after the other
			x := &Index{terms: map[string][]int32{}}
			for i := range 3000 {
				x.add(kit.Words(50 + i%100))
			}
		}
	}()
	kit.Wait()
}

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

// topicBroker passes messages on, and drops what a subscriber has no room for.
func topicBroker() {
	kit.Start()
	var subscribers []chan int
	for range 20 {
		s := make(chan int, 16)
		subscribers = append(subscribers, s)
		go func() {
			sum := 0
			for m := range s {
				sum += m
			}
		}()
	}
	go func() {
		for n := 0; ; n++ {
			for _, s := range subscribers {
				select {
				case s <- n:
				default:
				}
			}
			if n%50 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	kit.Wait()
}

// fastTicks samples a sensor each millisecond.
func fastTicks() {
	kit.Start()
	for range 4 {
		go func() {
			tick := time.NewTicker(time.Millisecond)
			level := 0.0
			for now := range tick.C {
				level = level*0.9 + math.Sin(float64(now.UnixMilli()))*0.1
			}
		}()
	}
	kit.Wait()
}

// A Spinlock tries for a moment before it yields, and sleeps when that takes long.
type Spinlock struct{ held atomic.Bool }

// Lock takes the lock.
func (l *Spinlock) Lock() {
	for tries := 0; !l.held.CompareAndSwap(false, true); tries++ {
		switch {
		case tries < 30:
		case tries < 40:
			runtime.Gosched()
		default:
			time.Sleep(50 * time.Microsecond)
		}
	}
}

// Unlock gives it back.
func (l *Spinlock) Unlock() { l.held.Store(false) }

func lockAdaptive() {
	kit.Start()
	var l Spinlock
	sums := map[int][32]byte{}
	for range 6 {
		go func() {
			for n := 0; ; n++ {
				sum := sha256.Sum256([]byte(strconv.Itoa(n)))
				l.Lock()
				sums[n%1000] = sum
				l.Unlock()
				if n%2000 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}()
	}
	kit.Wait()
}

// cellSteps is a simulation on a board, its rows shared among workers.
func cellSteps() {
	kit.Start()
	const size = 400
	now, next := make([]uint8, size*size), make([]uint8, size*size)
	for i := range now {
		now[i] = uint8(rand.Intn(2))
	}
	for {
		var wg sync.WaitGroup
		for k := range 4 {
			wg.Go(func() { evolve(now, next, size, k*size/4, (k+1)*size/4) })
		}
		wg.Wait()
		now, next = next, now
	}
}

// evolve computes rows of the next board.
func evolve(now, next []uint8, size, from, to int) {
	for y := max(from, 1); y < min(to, size-1); y++ {
		for x := 1; x < size-1; x++ {
			i := y*size + x
			n := now[i-1] + now[i+1] + now[i-size] + now[i+size] + now[i-size-1] + now[i-size+1] + now[i+size-1] + now[i+size+1]
			next[i] = 0
			if n == 3 || n == 2 && now[i] == 1 {
				next[i] = 1
			}
		}
	}
}

// frameRing keeps the last frames of a camera, each a buffer that is used again.
func frameRing() {
	kit.Start()
	var ring [12][]byte
	go func() {
		for n := 0; ; n++ {
			frame := &ring[n%len(ring)]
			if *frame == nil {
				*frame = make([]byte, 8<<20)
			}
			shade(*frame, byte(n))
			time.Sleep(15 * time.Millisecond)
		}
	}()
	kit.Wait()
}

// shade draws a frame.
func shade(frame []byte, n byte) {
	for i := range frame {
		frame[i] = byte(i) ^ n
	}
}

// nightReport builds a report in memory, writes it and begins the next one.
func nightReport() {
	kit.Start()
	go func() {
		for n := 0; ; n++ {
			lines := collect(n)
			size := 0
			for _, l := range lines {
				size += len(l)
			}
			log.Printf("report %d has %d bytes", n, size)
			time.Sleep(200 * time.Millisecond)
		}
	}()
	kit.Wait()
}

// collect makes the lines of one report.
func collect(n int) (lines []string) {
	for i := range 200_000 {
		lines = append(lines, fmt.Sprintf("%d customer %d has %d orders of %d", n, i, i%17, i%971))
	}
	return lines
}

// distance is how many changes turn one text into another.
func distance(a, b []byte) int {
	row := make([]int, len(b)+1)
	for i := range row {
		row[i] = i
	}
	for i := range a {
		last := row[0]
		row[0] = i + 1
		for k := range b {
			above := row[k+1]
			cost := last
			if a[i] != b[k] {
				cost = min(last, above, row[k]) + 1
			}
			row[k+1], last = cost, above
		}
	}
	return row[len(b)]
}

func textDiff() {
	kit.Start()
	a, b := kit.Words(700), bytes.ReplaceAll(kit.Words(700), []byte("rate"), []byte("price"))
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, distance(a, b)) }), "/diff", 3, 0, 0)
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

// A Chain proves that time has passed: each link is the hash of the one before.
type Chain struct{ last [32]byte }

// extend adds links.
func (c *Chain) extend(links int) {
	for range links {
		c.last = sha256.Sum256(c.last[:])
	}
}

func hashChain() {
	kit.Start()
	c := &Chain{}
	links := make(chan [32]byte)
	go func() {
		for {
			c.extend(100_000_000)
			links <- c.last
		}
	}()
	for l := range links {
		log.Printf("%x", l)
	}
}

// value estimates an option by simulation.
func value(paths int, seed uint64) float64 {
	x, sum := seed, 0.0
	for range paths {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		sum += float64(x%1000) / 1000
	}
	return sum / float64(paths)
}

// pathValue has one estimate made and those who wait for it.
func pathValue() {
	kit.Start()
	result := make(chan float64)
	go func() {
		for {
			result <- value(60_000_000_000, 88172645463325252)
		}
	}()
	for i := range 3 {
		go func() {
			for v := range result {
				log.Print(i, v)
			}
		}()
	}
	kit.Wait()
}

// A Wheel has timers in slots.
type Wheel struct {
	mu    sync.Mutex
	slots [256][]func()
	at    int
}

// turn moves the wheel a slot each millisecond.
func (w *Wheel) turn() {
	for range time.Tick(time.Millisecond) {
		w.mu.Lock()
		due := w.slots[w.at]
		w.slots[w.at] = nil
		w.at = (w.at + 1) % len(w.slots)
		w.mu.Unlock()
		for _, f := range due {
			f()
		}
	}
}

// add calls f after some slots.
func (w *Wheel) add(after int, f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := (w.at + after) % len(w.slots)
	w.slots[i] = append(w.slots[i], f)
}

func timerWheel() {
	kit.Start()
	w := &Wheel{}
	var again func()
	var fired atomic.Int64
	again = func() {
		w.add(int(fired.Add(1)%200)+1, again)
	}
	for range 20000 {
		again()
	}
	go w.turn()
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

// A Batcher flushes when it can, and lets it be where somebody else does.
type Batcher struct {
	mu    sync.Mutex
	n     int
	batch []byte
}

// add appends and flushes what is full.
func (b *Batcher) add(p []byte) {
	b.mu.Lock()
	b.batch = append(b.batch, p...)
	full := len(b.batch) > 1<<16
	b.mu.Unlock()
	if full && b.mu.TryLock() {
		b.n++
		sum := sha256.Sum256(b.batch)
		b.batch = append(b.batch[:0], sum[:]...)
		b.mu.Unlock()
	}
}

func tryFlush() {
	kit.Start()
	b := &Batcher{}
	for range 4 {
		go func() {
			p := make([]byte, 300)
			for n := 0; ; n++ {
				b.add(p)
				if n%3000 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}()
	}
	kit.Wait()
}
