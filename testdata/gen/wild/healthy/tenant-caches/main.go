// Command tenant-caches keeps a cache for each of its tenants, all of them made at the start; each cache of the library
// has a goroutine that drops what has expired.
package main

import (
	"context"
	"fmt"
	"log"
	"os/signal"
	"syscall"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"wild/kit"
)

type tenant struct {
	name  string
	pages *expirable.LRU[string, []byte]
}

// load makes a tenant as its settings say.
func load(name string) *tenant {
	return &tenant{name: name, pages: expirable.NewLRU[string, []byte](100, nil, 10*time.Minute)}
}

func (t *tenant) page(path string) []byte {
	if page, ok := t.pages.Get(path); ok {
		return page
	}
	page := []byte("<h1>" + t.name + path + "</h1>")
	t.pages.Add(path, page)
	return page
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	var tenants []*tenant
	for i := 0; i < 130; i++ {
		tenants = append(tenants, load(fmt.Sprintf("tenant-%03d", i)))
	}
	log.Printf("%d tenants", len(tenants))
	for i := 0; ctx.Err() == nil; i++ {
		go tenants[i%len(tenants)].page(fmt.Sprintf("/%d", i%50))
		time.Sleep(50 * time.Millisecond)
	}
}
