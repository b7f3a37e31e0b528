// Command goldmark-open-comment renders what users write.
//
// https://github.com/yuin/goldmark/issues/593
package main

import (
	"io"
	"log"
	"strings"
	"sync/atomic"
	"time"

	"github.com/yuin/goldmark"

	"wild/kit"
)

var rendered atomic.Int64

func main() {
	kit.Serve()
	page := []byte(strings.Repeat("a <!--"+remark+"\n", 4000))
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			render(page)
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(rendered.Load(), " pages")
	}
}

// render renders a page.
func render(page []byte) {
	if err := goldmark.Convert(page, io.Discard); err != nil {
		log.Print(err)
	}
	rendered.Add(1)
}
