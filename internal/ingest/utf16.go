package ingest

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// utf16Reader turns UTF-16, which `>` writes in Windows PowerShell, into UTF-8. Half a character at the end is dropped.
func utf16Reader(r io.Reader, e unicode.Endianness) io.Reader {
	return transform.NewReader(r, wholeUnits{unicode.UTF16(e, unicode.IgnoreBOM).NewDecoder()})
}

// wholeUnits drops a last byte that is half a unit of two bytes.
type wholeUnits struct{ transform.Transformer }

// Transform implements transform.Transformer.
func (t wholeUnits) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	whole := src
	if atEOF {
		whole = src[:len(src)&^1]
	}
	nDst, nSrc, err = t.Transformer.Transform(dst, whole, atEOF)
	if err == nil && nSrc == len(whole) {
		nSrc = len(src)
	}
	return nDst, nSrc, err
}

// textReader turns the text encodings that Windows writes into UTF-8 and drops byte order marks. Like magic
// it waits for no more than it must.
func textReader(r *bufio.Reader) io.Reader {
	head, _ := r.Peek(2)
	switch {
	case len(head) < 2:
		return r
	case head[0] == 0 || head[1] == 0:
		head, _ = r.Peek(512)
	case head[0] == 0xef && head[1] == 0xbb:
		head, _ = r.Peek(3)
	}
	switch {
	case head[0] == 0xff && head[1] == 0xfe:
		_, _ = r.Discard(2)
		return utf16Reader(r, unicode.LittleEndian)
	case head[0] == 0xfe && head[1] == 0xff:
		_, _ = r.Discard(2)
		return utf16Reader(r, unicode.BigEndian)
	case len(head) >= 3 && head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf:
		_, _ = r.Discard(3)
		return r
	case everyOther(head, 1):
		return utf16Reader(r, unicode.LittleEndian)
	case everyOther(head, 0):
		return utf16Reader(r, unicode.BigEndian)
	}
	return r
}

// everyOther reports ASCII in UTF-16 without a mark: at least 16 units, all bytes at odd (even) places zero and none
// of the others.
func everyOther(head []byte, zero int) bool {
	if len(head) < 32 {
		return false
	}
	for i := range len(head) &^ 1 {
		if (head[i] == 0) != (i&1 == zero) || head[i] >= 0x80 {
			return false
		}
	}
	return true
}
