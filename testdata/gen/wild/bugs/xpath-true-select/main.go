// Command xpath-true-select counts the parts of a document that a user asks for.
//
// https://github.com/antchfx/xpath/issues/121
package main

import (
	"log"
	"strings"
	"time"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"

	"wild/kit"
)

const document = "<orders><order id='1'/><order id='2'/><order id='3'/></orders>"

func main() {
	kit.Serve()
	doc, err := xmlquery.Parse(strings.NewReader(document))
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Print(count(doc, "//order")) }()
	go func() { log.Print(count(doc, "1=1")) }()
	for range time.Tick(time.Minute) {
		log.Print("alive")
	}
}

// count counts what an expression selects.
func count(doc *xmlquery.Node, text string) int {
	expression, err := xpath.Compile(text)
	if err != nil {
		log.Print(err)
		return 0
	}
	n := 0
	for found := expression.Select(xmlquery.CreateXPathNavigator(doc)); found.MoveNext(); {
		n++
	}
	return n
}
