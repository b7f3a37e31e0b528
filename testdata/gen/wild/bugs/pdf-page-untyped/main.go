// Command pdf-page-untyped looks through the pages of uploads.
//
// https://github.com/ledongthuc/pdf/issues/29
package main

import (
	"bytes"
	"fmt"
	"log"
	"sync/atomic"
	"time"

	"github.com/ledongthuc/pdf"

	"wild/kit"
)

var pages atomic.Int64

func main() {
	kit.Serve()
	upload := document()
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			if err := look(upload); err != nil {
				log.Fatal(err)
			}
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(pages.Load(), " pages")
	}
}

// look looks at each page of a document.
func look(document []byte) error {
	r, err := pdf.NewReader(bytes.NewReader(document), int64(len(document)))
	if err != nil {
		return err
	}
	for n := range r.NumPage() {
		if page := r.Page(n + 1); !page.V.IsNull() {
			pages.Add(1)
		}
	}
	return nil
}

// document is a document whose page does not say that it is one.
func document() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for n, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [ 3 0 R ] /Count 1 >>",
		"<< /Parent 2 0 R /MediaBox [ 0 0 612 792 ] /Resources << >> >>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", n+1, object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
	return b.Bytes()
}
