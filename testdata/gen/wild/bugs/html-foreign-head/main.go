// Command html-foreign-head takes the comments of a forum and keeps what they say, without the markup.
//
// Report: https://github.com/golang/go/issues/70179
package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/html"

	"wild/kit"
)

// memoryLimit is what the container has.
const memoryLimit = 300 << 20

// A forum keeps the last comments.
type forum struct {
	mu       sync.Mutex
	comments []string
}

// parse returns the text of a comment.
func parse(comment string) (string, error) {
	nodes, err := html.ParseFragment(strings.NewReader(comment), nil)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, n := range nodes {
		writeText(&text, n)
	}
	return text.String(), nil
}

// writeText writes the text below a node.
func writeText(w *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		w.WriteString(n.Data)
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		writeText(w, child)
	}
}

// post takes a comment.
func (f *forum) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	text, err := parse(string(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.comments = append(f.comments, text)
	if len(f.comments) > 100 {
		f.comments = f.comments[1:]
	}
	w.WriteHeader(http.StatusCreated)
}

// visitors post comments, one each half second.
func visitors(url string, comments ...string) {
	client := &http.Client{Timeout: 10 * time.Second}
	for _, comment := range comments {
		time.Sleep(500 * time.Millisecond)
		answer, err := client.Post(url, "text/html", strings.NewReader(comment))
		if err != nil {
			log.Print(err)
			continue
		}
		answer.Body.Close()
	}
}

func main() {
	// The container has one processor: the collector may not take the others.
	runtime.GOMAXPROCS(1)
	debug.SetMemoryLimit(memoryLimit)
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	f := &forum{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /comments", f.post)
	go visitors("http://"+listener.Addr().String()+"/comments",
		"<p>Thank you, that <b>works</b>.</p>",
		"<p>See <a href=https://example.org/>here</a></p>",
		"<svg><head><title><select><input>")
	log.Fatal(http.Serve(listener, mux))
}
