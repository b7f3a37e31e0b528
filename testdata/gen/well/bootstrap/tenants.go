package main

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// A tenant's store is made by the first who needs it.
type tenant struct {
	once   sync.Once
	schema []byte
}

func (t *tenant) store(c *http.Client, addr string) []byte {
	t.once.Do(func() { t.schema = fetchSchema(c, addr) })
	return t.schema
}

func fetchSchema(c *http.Client, addr string) []byte {
	resp, err := c.Get("http://" + addr + "/schema")
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	schema, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil
	}
	return schema
}

// openTenants has a new tenant every 300 ms, with thirty requests at once.
func openTenants(addr string) {
	c := &http.Client{Timeout: 5 * time.Second}
	for {
		t := &tenant{}
		for i := 0; i < 30; i++ {
			go t.request(c, addr)
		}
		time.Sleep(300 * time.Millisecond)
	}
}

func (t *tenant) request(c *http.Client, addr string) {
	if len(t.store(c, addr)) == 0 {
		time.Sleep(20 * time.Millisecond)
	}
}
