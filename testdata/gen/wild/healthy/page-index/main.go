// Command page-index indexes saved pages: it parses each and counts what its links are called.
package main

import (
	"bytes"
	"fmt"
	"log"

	"golang.org/x/net/html"

	"wild/kit"
)

type index struct{ links map[string]int }

// add reads a page.
func (x *index) add(page []byte) error {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return err
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" && n.FirstChild != nil {
			x.links[n.FirstChild.Data]++
		}
	}
	return nil
}

// saved makes a page with a table of many rows.
func saved(rows int) []byte {
	var b bytes.Buffer
	b.WriteString("<!doctype html><title>Prices</title><table><tbody>")
	for i := range rows {
		fmt.Fprintf(&b, "<tr><td><a href=/item/%d>item %d</a><td>%d<td><svg><path d=M0></path></svg></tr>", i, i%500, i)
	}
	b.WriteString("</tbody></table>")
	return b.Bytes()
}

func main() {
	kit.Serve()
	pages := [][]byte{saved(2_000), saved(20_000), saved(100_000)}
	x := &index{links: map[string]int{}}
	for n := 0; ; n++ {
		if err := x.add(pages[n%len(pages)]); err != nil {
			log.Fatal(err)
		}
	}
}
