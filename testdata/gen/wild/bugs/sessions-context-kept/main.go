// Command sessions-context-kept counts the visits of each browser with a cookie, by gorilla/sessions and the plain mux of
// net/http.
//
// https://github.com/gorilla/sessions/issues/121
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gorilla/sessions"
	"wild/kit"
)

var store = sessions.NewCookieStore([]byte("0123456789abcdef0123456789abcdef"))

// handle counts one visit.
func handle(w http.ResponseWriter, r *http.Request) {
	session, err := store.Get(r, "s")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	visits, _ := session.Values["visits"].(int)
	session.Values["visits"] = visits + 1
	if err := session.Save(r, w); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, "visit %d\n", visits+1)
}

// A browser keeps its cookie from one visit to the next.
type browser struct {
	client *http.Client
	url    string
}

func newBrowser(url string) (*browser, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &browser{&http.Client{Jar: jar, Timeout: 10 * time.Second}, url}, nil
}

// visit loads the page n times.
func (b *browser) visit(n int) error {
	for i := 0; i < n; i++ {
		response, err := b.client.Get(b.url)
		if err != nil {
			return err
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	return nil
}

// browse visits in bursts, ten in a second: great ones for the first 200, small ones from then on.
func (b *browser) browse() {
	bursts := 0
	for range time.Tick(100 * time.Millisecond) {
		n := 150
		if bursts++; bursts > 200 {
			n = 25
		}
		if err := b.visit(n); err != nil {
			log.Print(err)
		}
	}
}

func main() {
	kit.Serve()
	mux := http.NewServeMux()
	mux.HandleFunc("/", handle)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	b, err := newBrowser("http://" + listener.Addr().String() + "/")
	if err != nil {
		log.Fatal(err)
	}
	go b.browse()

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
