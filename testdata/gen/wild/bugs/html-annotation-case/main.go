// Command html-annotation-case cleans what users write.
//
// https://github.com/golang/go/issues/70906
package main

import (
	"log"
	"strings"
	"time"

	"golang.org/x/net/html"

	"wild/kit"
)

var comment = "<math><annotation-xml encoding=" + strings.Repeat("A", 100000) + ">" + strings.Repeat("<mi>a</mi>", 400)

func main() {
	kit.Serve()
	for {
		if err := clean(comment); err != nil {
			log.Print(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// clean parses a comment.
func clean(comment string) error {
	_, err := html.Parse(strings.NewReader(comment))
	return err
}
