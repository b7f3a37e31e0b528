// Command main looks for links in the pages of a site: a crawler with a few workers.
//
// https://github.com/golang/go/issues/27016
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/html"
	"wild/kit"
)

// site is what the crawler reads. The last page is a component that its author has not closed.
var site = map[string]string{
	"/":       `<html><body><a href="/about">About</a> <a href="/player">Player</a></body></html>`,
	"/about":  `<html><body><p>A small site.<a href="/">Home</a></body></html>`,
	"/player": `<template><object>`,
}

// A page is what a worker has found.
type page struct {
	url   string
	links []string
	err   error
}

// parse returns the links of a page.
func parse(text string) ([]string, error) {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return links(root), nil
}

// links returns the targets of all links below a node.
func links(n *html.Node) []string {
	var found []string
	if n.Type == html.ElementNode && n.Data == "a" {
		for _, a := range n.Attr {
			if a.Key == "href" {
				found = append(found, a.Val)
			}
		}
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		found = append(found, links(child)...)
	}
	return found
}

// visit reads one page.
func visit(url string) page {
	answer, err := http.Get(url)
	if err != nil {
		return page{url: url, err: err}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return page{url: url, err: err}
	}
	found, err := parse(string(text))
	return page{url, found, err}
}

// work visits the pages that it is given.
func work(urls <-chan string, pages chan<- page) {
	for url := range urls {
		pages <- visit(url)
	}
}

// crawl visits the pages of a site in turn, one every second, and follows their links. It starts over at the end.
func crawl(start string, urls chan<- string, pages <-chan page) {
	queue, known := []string{"/"}, map[string]bool{"/": true}
	for i := 0; ; i++ {
		time.Sleep(time.Second)
		urls <- start + queue[i%len(queue)]
		found := <-pages
		if found.err != nil {
			log.Print(found.url, ": ", found.err)
		}
		for _, link := range found.links {
			if !known[link] {
				known[link] = true
				queue = append(queue, link)
			}
		}
	}
}

func main() {
	kit.Serve()
	urls, pages := make(chan string), make(chan page)
	for range 3 {
		go work(urls, pages)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go crawl("http://"+listener.Addr().String(), urls, pages)
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, site[r.URL.Path])
	})))
}
