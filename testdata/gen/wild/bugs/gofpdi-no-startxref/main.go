// Command gofpdi-no-startxref counts the pages of uploads.
//
// https://github.com/phpdave11/gofpdi/pull/57
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"sync/atomic"
	"time"

	"github.com/phpdave11/gofpdi"

	"wild/kit"
)

var pages atomic.Int64

func main() {
	kit.Serve()
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			pages.Add(int64(count(upload())))
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(pages.Load(), " pages")
	}
}

// count is how many pages a document has.
func count(document []byte) int {
	importer := gofpdi.NewImporter()
	var r io.ReadSeeker = bytes.NewReader(document)
	importer.SetSourceStream(&r)
	return importer.GetNumPages()
}

// document is a document of one page, and where its table is.
func document() ([]byte, int) {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for n, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [ 3 0 R ] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [ 0 0 612 792 ] /Resources << >> >>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", n+1, object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\n", len(at)+1)
	return b.Bytes(), table
}
