// Command html-select-in-math cleans what users write.
//
// https://github.com/golang/go/issues/27842
package main

import (
	"log"
	"strings"
	"time"

	"golang.org/x/net/html"

	"wild/kit"
)

var comments = []string{
	"<p>hello",
	"<table><math><select><mi><select></table>",
	"<b>bye",
}

func main() {
	kit.Serve()
	go func() {
		for _, comment := range comments {
			log.Print(clean(comment))
		}
	}()
	for range time.Tick(time.Minute) {
		log.Print("alive")
	}
}

// clean renders a comment anew.
func clean(comment string) string {
	node, err := html.Parse(strings.NewReader(comment))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	html.Render(&b, node)
	return b.String()
}
