package gateway

import (
	"log"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"example.com/busy/kit"
)

// A Loop waits for descriptors that can be read.
type Loop struct {
	epoll  int
	wakes  int
	events [8]syscall.EpollEvent
}

// run serves those that are ready. Events of a descriptor that belongs to nobody any more are skipped.
func (l *Loop) run(owners map[int32]func()) {
	for {
		n, err := syscall.EpollWait(l.epoll, l.events[:], -1)
		if err != nil && err != syscall.EINTR {
			log.Print(err)
			return
		}
		for i := range max(n, 0) {
			l.wakes++
			if serve := owners[l.events[i].Fd]; serve != nil {
				serve()
			}
		}
	}
}

func levelPoll() {
	kit.Start()
	fd, err := syscall.EpollCreate1(0)
	if err != nil {
		log.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		log.Fatal(err)
	}
	w.WriteString("bye")
	event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(r.Fd())}
	if err := syscall.EpollCtl(fd, syscall.EPOLL_CTL_ADD, int(r.Fd()), &event); err != nil {
		log.Fatal(err)
	}
	go (&Loop{epoll: fd}).run(map[int32]func(){})
	kit.Wait()
	r.Close()
}

// A Store gives items in pages.
type Store struct {
	mu    sync.Mutex
	items []string
}

// Page returns items behind a token, and the token of the next page.
func (s *Store) Page(token string, size int) (items []string, next string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := sort.SearchStrings(s.items, token)
	end := min(at+size, len(s.items))
	items = append(items, s.items[at:end]...)
	if end < len(s.items) {
		next = s.items[end]
	} else if len(items) > 0 {
		next = items[len(items)-1] // where items that come later begin
	}
	return items, next
}

// backfill copies all items into an index.
func backfill(s *Store, index map[string]bool) {
	token := ""
	for {
		items, next := s.Page(token, 50)
		for _, item := range items {
			index[item] = true
		}
		if next == "" {
			return
		}
		token = next
	}
}

func pageCursor() {
	kit.Start()
	s := &Store{}
	for i := range 500 {
		s.items = append(s.items, "item-"+strconv.Itoa(10000+i))
	}
	go func() {
		backfill(s, map[string]bool{})
		log.Print("index is full")
	}()
	kit.Wait()
}

// unescapePath replaces %2F by slashes; other escapes stay.
func unescapePath(p string) string {
	at := 0
	for {
		i := strings.Index(p[at:], "%")
		if i < 0 {
			return p
		}
		at += i
		if strings.HasPrefix(p[at:], "%2F") {
			p = p[:at] + "/" + p[at+3:]
		}
	}
}

func pathClean() {
	kit.Start()
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(unescapePath(r.URL.RawQuery)))
	}), "/file?a%2Fb%2Fc", 3, 50*time.Millisecond, 0)
	go func() {
		time.Sleep(time.Second)
		r, _ := http.NewRequest("GET", "/file?a%20b", nil)
		answer(r)
	}()
	kit.Wait()
}

// answer is what an internal call of the file service does.
func answer(r *http.Request) string { return unescapePath(r.URL.RawQuery) }

// A Tariff has prices by weight.
type Tariff struct{ upTo, price []int }

// find returns the first step whose weight is enough.
func (t *Tariff) find(weight int) int {
	lo, hi := 0, len(t.upTo)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.upTo[mid] < weight {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func priceSearch() {
	kit.Start()
	t := &Tariff{}
	for i := range 64 {
		t.upTo, t.price = append(t.upTo, i*100), append(t.price, i*3)
	}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		weight, _ := strconv.Atoi(r.URL.Query().Get("weight"))
		w.Write(strconv.AppendInt(nil, int64(t.find(weight)), 10))
	}), "/price?weight=1250", 1, 50*time.Millisecond, 0)
	kit.Wait()
}

// An Invoice splits a sum into rates.
type Invoice struct {
	sum   float64
	rates []float64
	count int
}

// split makes rates of one size until the sum is reached.
func (v *Invoice) split(rate float64) {
	paid := 0.0
	for paid != v.sum {
		paid += rate
		v.count++
	}
}

func invoiceSteps() {
	kit.Start()
	jobs := make(chan *Invoice)
	for range 3 {
		go func() {
			for v := range jobs {
				v.split(0.1)
			}
		}()
	}
	go func() {
		for i := range 40 {
			jobs <- &Invoice{sum: float64(i%2) * 0.1}
			time.Sleep(10 * time.Millisecond)
		}
		jobs <- &Invoice{sum: 1}
	}()
	kit.Wait()
}
