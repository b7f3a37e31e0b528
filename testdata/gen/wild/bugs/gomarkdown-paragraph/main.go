// Command gomarkdown-paragraph is a wiki: it keeps pages in Markdown and shows them as HTML.
//
// Report: https://github.com/golang/vulndb/issues/3205
package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gomarkdown/markdown"
	"github.com/gomarkdown/markdown/parser"

	"wild/kit"
)

// A wiki has pages by name.
type wiki struct {
	mu    sync.RWMutex
	pages map[string][]byte
}

// save keeps what a user wrote.
func (k *wiki) save(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pages[r.PathValue("page")] = text
	w.WriteHeader(http.StatusNoContent)
}

// show answers with a page.
func (k *wiki) show(w http.ResponseWriter, r *http.Request) {
	k.mu.RLock()
	text, ok := k.pages[r.PathValue("page")]
	k.mu.RUnlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(render(text))
}

// render makes HTML of a page. A parser is good for one page only.
func render(text []byte) []byte {
	p := parser.NewWithExtensions(parser.CommonExtensions | parser.DefinitionLists)
	return markdown.ToHTML(text, p, nil)
}

// edit saves a page and looks at it, as the editor of the wiki does.
func edit(client *http.Client, url, text string) error {
	request, err := http.NewRequest(http.MethodPut, url, strings.NewReader(text))
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	answer.Body.Close()
	answer, err = client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// author writes pages, one each half second.
func author(base string) {
	client := &http.Client{Timeout: 10 * time.Second}
	for _, page := range []struct{ name, text string }{
		{"home", "# Welcome\n\nTerm\n: what it means\n\nSee *rules*.\n"},
		{"rules", "## Rules\n\n1. Be kind\n2. Be short\n"},
		// A picture that was dropped into the editor.
		{"logo", "~~~~\xb4~\x94~\x94~\xd1\r\r:\xb4\x94\x94~\x9f~\xb4~\x94~\x94\x94"},
	} {
		time.Sleep(500 * time.Millisecond)
		if err := edit(client, base+page.name, page.text); err != nil {
			log.Printf("%s: %v", page.name, err)
		}
	}
}

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	k := &wiki{pages: make(map[string][]byte)}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /pages/{page}", k.save)
	mux.HandleFunc("GET /pages/{page}", k.show)
	go author("http://" + listener.Addr().String() + "/pages/")
	log.Fatal(http.Serve(listener, mux))
}
