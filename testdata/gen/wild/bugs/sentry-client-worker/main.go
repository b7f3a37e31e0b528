// Command sentry-client-worker imports orders for several tenants. What fails is reported to the tenant's own Sentry
// project, which cannot be reached.
//
// https://github.com/getsentry/sentry-go/issues/731
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/getsentry/sentry-go"

	"wild/kit"
)

const (
	arrival = 100 * time.Millisecond // between two orders
	patient = time.Second            // with Sentry
)

var errNoPrice = errors.New("the order has no price")

// An order is what tenants send.
type order struct {
	id, tenant, price int
}

var imported, refused atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	http.HandleFunc("/orders", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, imported.Load(), "imported,", refused.Load(), "refused")
	})
	orders := make(chan order, 10)
	go importer(orders)

	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for id := 0; ; id++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			orders <- order{id: id, tenant: id % 7, price: id % 2 * 100}
		}
	}
}

// importer imports orders.
func importer(orders <-chan order) {
	for o := range orders {
		if o.price == 0 {
			refused.Add(1)
			report(o, errNoPrice)
			continue
		}
		imported.Add(1)
	}
}

// report sends a refused order to the tenant's project.
func report(o order, reason error) {
	client, err := sentry.NewClient(sentry.ClientOptions{
		Dsn: fmt.Sprintf("http://public@127.0.0.1:1/%d", o.tenant+1),
	})
	if err != nil {
		log.Printf("order %d: %v", o.id, err)
		return
	}
	client.CaptureException(fmt.Errorf("order %d: %w", o.id, reason), nil, nil)
	client.Flush(patient)
	done(client)
}
