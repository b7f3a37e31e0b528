// Command schema-sparse-slice takes orders as HTML forms and shows the last ten. The key of a form names the place of an
// item in the list of items, and one client numbers its items by their catalogue.
//
// https://github.com/gorilla/schema/security/advisories/GHSA-3669-72x9-r9p3
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/gorilla/schema"
	"wild/kit"
)

const shown = 10 // orders

// An item is one line of an order.
type item struct {
	B       string
	Price   float64
	Count   int
	Options [8]string
}

// An orderForm is what clients submit: A.0.B, A.1.B and so on.
type orderForm struct {
	Customer string
	A        []item
}

// A shop keeps the last orders.
type shop struct {
	decoder *schema.Decoder
	mu      sync.Mutex
	orders  []*orderForm
}

// submit decodes a form and keeps it among the last ones.
func submit(s *shop, form url.Values) error {
	order := &orderForm{}
	if err := s.decoder.Decode(order, form); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders = append(s.orders, order)
	if len(s.orders) > shown {
		s.orders = append([]*orderForm(nil), s.orders[1:]...)
	}
	return nil
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := submit(s, r.PostForm); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	fmt.Fprintln(w, "thank you")
}

// buy submits a form every three seconds.
func buy(address string) {
	form := url.Values{"A.100000.B": {"x"}}
	for range time.Tick(3 * time.Second) {
		response, err := http.PostForm("http://"+address+"/orders", form)
		if err != nil {
			log.Print(err)
			continue
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}

func main() {
	kit.Serve()
	s := &shop{decoder: schema.NewDecoder()}
	mux := http.NewServeMux()
	mux.Handle("/orders", s)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	go buy(listener.Addr().String())

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
