// Command decimal-huge-exponent prices orders of a shop: a worker turns the amount of each into a float for the chart of
// the day. Some amounts come from a feed with an exponent that no price has.
//
// https://github.com/shopspring/decimal/issues/226
package main

import (
	"fmt"
	"log"
	"math/big"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/shopspring/decimal"
	"wild/kit"
)

// An order is one line of the feed.
type order struct {
	id     int
	amount decimal.Decimal
}

// A chart sums up the day.
type chart struct {
	mu        sync.Mutex
	orders    int
	refused   int
	postponed int
	total     float64
}

func (c *chart) add(value float64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.refused++
		return
	}
	c.orders++
	c.total += value
}

func (c *chart) postpone() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.postponed++
}

func (c *chart) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(w, "orders %d\nrefused %d\npostponed %d\ntotal %.2f\n", c.orders, c.refused, c.postponed, c.total)
}

// feed delivers an order every 100 milliseconds; each tenth has a hundred times ten to the power of -2^25. What the queue
// has no room for comes again with the next day's feed.
func feed(orders chan<- order, c *chart) {
	id := 0
	for range time.Tick(100 * time.Millisecond) {
		id++
		amount := decimal.New(int64(1999+id%500), -2)
		if id%10 == 0 {
			amount = decimal.NewFromBigInt(big.NewInt(100), -(1 << 25))
		}
		select {
		case orders <- order{id, amount}:
		default:
			c.postpone()
		}
	}
}

// work prices the orders one after the other.
func work(orders <-chan order, c *chart) {
	for o := range orders {
		value, err := price(o)
		c.add(value, err)
	}
}

func main() {
	kit.Serve()
	orders := make(chan order, 64)
	c := &chart{}
	go feed(orders, c)
	go work(orders, c)

	mux := http.NewServeMux()
	mux.Handle("/chart", c)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, mux))
}
