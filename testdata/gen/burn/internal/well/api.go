package well

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"example.com/fixtures/burn/run"
)

type order struct {
	ID    int      `json:"id"`
	User  string   `json:"user"`
	Items []string `json:"items"`
	Total float64  `json:"total"`
}

// An API looks up orders, adds them up, renders pages and a little JSON.
type API struct {
	mu     sync.Mutex
	orders map[int]*order
}

func startAPI(s *run.Service) error {
	a := &API{orders: map[int]*order{}}
	for i := 0; i < 2000; i++ {
		a.orders[i] = &order{ID: i, User: "user-" + strconv.Itoa(i%100), Items: []string{"a", "b", "c"}, Total: float64(i)}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/order", a.handleOrder)
	mux.HandleFunc("/totals", a.handleTotals)
	mux.HandleFunc("/page", a.handlePage)
	mux.HandleFunc("/route", a.handleRoute)
	return s.Serve(mux, 4, "/order?id=7", "/totals", "/page", "/route?n=40", "/order?id=99")
}

func (a *API) handleOrder(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(r.FormValue("id"))
	a.mu.Lock()
	o := a.orders[id]
	a.mu.Unlock()
	if o == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(o)
}

func (a *API) handleTotals(w http.ResponseWriter, r *http.Request) {
	var sums [100]float64
	a.mu.Lock()
	for id, o := range a.orders {
		if id < 400 {
			sums[id%100] += o.Total
		}
	}
	a.mu.Unlock()
	for _, sum := range sums[:10] {
		w.Write(strconv.AppendFloat(nil, sum, 'f', 2, 64))
	}
}

func (a *API) handlePage(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	b.Grow(4 << 10)
	for i := 0; i < 40; i++ {
		b.WriteString("<li>")
		b.WriteString(strconv.Itoa(i))
		b.WriteString("</li>")
	}
	io.WriteString(w, b.String())
}

// handleRoute finds the shortest ways in a small grid.
func (a *API) handleRoute(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.FormValue("n"))
	if n < 1 || n > 60 {
		n = 10
	}
	cost := make([]int, n*n)
	for i := range cost {
		cost[i] = i * 7919 % 13
	}
	for round := 0; round < 4; round++ {
		for i := n + 1; i < len(cost); i++ {
			best := cost[i-1]
			if cost[i-n] < best {
				best = cost[i-n]
			}
			cost[i] += best % 17
		}
	}
	fmt.Fprintln(w, cost[len(cost)-1])
}
