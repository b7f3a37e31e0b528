package ingest

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// textReader turns the text encodings that Windows writes into UTF-8, by their byte order marks: UTF-16 is what `>`
// writes in PowerShell. Like magic it waits for no more than it must.
func textReader(r *bufio.Reader) io.Reader {
	head, _ := r.Peek(1)
	if len(head) == 0 || head[0] < 0xef {
		return r
	}
	head, _ = r.Peek(3)
	if bytes.Equal(head, []byte("\ufeff")) {
		_, _ = r.Discard(len(head))
		return r
	}
	if len(head) >= 2 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff) {
		return transform.NewReader(r, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
	}
	return r
}
