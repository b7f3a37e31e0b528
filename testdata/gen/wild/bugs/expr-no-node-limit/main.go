// Command main prices orders by rules that its tenants send. Rules can be switched at any time.
//
// https://github.com/expr-lang/expr/pull/762
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"wild/kit"
)

const (
	tenants = 8               // that send rules
	pause   = 5 * time.Second // between two rules
)

// A book has the rule of each tenant.
type book struct {
	mu       sync.Mutex
	programs map[string]*vm.Program
}

// rule compiles what a tenant sends. Tenants look at their rules as they wrote them, so nothing is folded.
func rule(text string) (*vm.Program, error) {
	return expr.Compile(text, expr.Optimize(false))
}

// ServeHTTP puts the rule of a tenant in force.
func (b *book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	program, err := rule(string(text))
	if err != nil {
		http.Error(w, "not a rule", http.StatusUnprocessableEntity)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.programs[r.URL.Path] = program
}

// price applies the rule of a tenant.
func (b *book) price(tenant string) (any, error) {
	b.mu.Lock()
	program := b.programs[tenant]
	b.mu.Unlock()
	if program == nil {
		return 0, nil
	}
	return expr.Run(program, nil)
}

// sell prices an order of each tenant now and then.
func (b *book) sell() {
	for range time.Tick(10 * time.Second) {
		for i := range tenants {
			if _, err := b.price(name(i)); err != nil {
				log.Print(name(i), ": ", err)
			}
		}
	}
}

// name is the path of a tenant.
func name(i int) string { return fmt.Sprintf("/tenants/%d", i) }

// send plays the tenants, who first have a short rule and then long ones.
func send(url string) error {
	long := strings.Repeat("1+", 150000) + "1"
	for i := 0; ; i++ {
		text := "1+1"
		if i >= tenants {
			text = long
			time.Sleep(pause)
		}
		answer, err := http.Post(url+name(i%tenants), "text/plain", strings.NewReader(text))
		if err != nil {
			return err
		}
		answer.Body.Close()
		if i < 2*tenants {
			log.Print(name(i%tenants), ": ", answer.Status)
		}
	}
}

func main() {
	kit.Serve()
	b := &book{programs: make(map[string]*vm.Program)}
	go b.sell()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Print("tenants: ", send("http://"+listener.Addr().String())) }()
	log.Fatal(http.Serve(listener, b))
}
