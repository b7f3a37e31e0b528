// Command wiki-render serves a wiki: each request renders a long page anew.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/gomarkdown/markdown"
	"github.com/gomarkdown/markdown/parser"

	"wild/kit"
)

// page is a manual of twenty chapters.
func page() []byte {
	var b strings.Builder
	for chapter := 0; chapter < 20; chapter++ {
		fmt.Fprintf(&b, "# Chapter %d\n\nHow to *mount* part %d, and what `to check`.\n\n", chapter, chapter)
		for step := 0; step < 12; step++ {
			fmt.Fprintf(&b, "%d. Turn screw %d by [a quarter](#q%d)\n", step+1, step, step)
		}
		b.WriteString("\nTerm\n: what it means\n\n> A note.\n\n```\nmount --part\n```\n\n")
	}
	return []byte(b.String())
}

type wiki struct{ text []byte }

func (w *wiki) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	p := parser.NewWithExtensions(parser.CommonExtensions | parser.DefinitionLists)
	if _, err := rw.Write(markdown.ToHTML(w.text, p, nil)); err != nil {
		log.Print(err)
	}
}

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, &wiki{page()})
	for {
		resp, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			log.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			log.Fatal(err)
		}
		resp.Body.Close()
	}
}
