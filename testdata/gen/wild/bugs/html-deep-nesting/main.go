// Command html-deep-nesting makes previews of web pages: submitted pages wait in a queue, a worker parses each and keeps
// its title and the number of its links. Some pages nest their elements thousands of levels deep.
//
// https://github.com/golang/vulndb/issues/4440
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/net/html"
	"wild/kit"
)

const maxPage = 1 << 20

// A preview is what the index shows of a page.
type preview struct {
	title string
	links int
}

// An index holds the previews of the pages that were submitted.
type index struct {
	mu       sync.Mutex
	previews []preview
	refused  int
}

// add keeps the latest hundred previews.
func (x *index) add(p preview) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.previews = append(x.previews, p)
	if len(x.previews) > 100 {
		x.previews = x.previews[1:]
	}
}

func (x *index) refuse() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.refused++
}

// parse is the worker of the queue.
func parse(pages <-chan string, x *index) {
	for page := range pages {
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			x.refuse()
			continue
		}
		x.add(summarize(doc))
	}
}

// summarize walks the tree without recursion.
func summarize(doc *html.Node) preview {
	var p preview
	for todo := []*html.Node{doc}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case n.Type == html.ElementNode && n.Data == "a":
			p.links++
		case n.Type == html.ElementNode && n.Data == "title" && n.FirstChild != nil:
			p.title = n.FirstChild.Data
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			todo = append(todo, c)
		}
	}
	return p
}

// submit takes a page from a client and answers before it is parsed.
func submit(pages chan<- string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxPage))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		select {
		case pages <- string(body):
			w.WriteHeader(http.StatusAccepted)
		default:
			http.Error(w, "busy", http.StatusServiceUnavailable)
		}
	}
}

// crawl submits a page every 100 milliseconds, as the crawlers do.
func crawl(address string) {
	page := strings.Repeat("<a><div>", 5000)
	for range time.Tick(100 * time.Millisecond) {
		response, err := http.Post("http://"+address+"/submit", "text/html", strings.NewReader(page))
		if err != nil {
			log.Print(err)
			continue
		}
		response.Body.Close()
	}
}

func main() {
	kit.Serve()
	pages := make(chan string, 16)
	x := &index{}
	go parse(pages, x)

	mux := http.NewServeMux()
	mux.HandleFunc("/submit", submit(pages))
	mux.HandleFunc("/status", func(w http.ResponseWriter, _ *http.Request) {
		x.mu.Lock()
		defer x.mu.Unlock()
		fmt.Fprintf(w, "%d previews, %d refused\n", len(x.previews), x.refused)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	go crawl(listener.Addr().String())

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
