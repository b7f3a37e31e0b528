package schema

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
)

// The ids of the blocks of data in a page. A block is a script element that no browser runs,
//
//	<script type="application/json+gzip" id="triage-report">BASE64</script>
//
// whose text is JSON, compressed by gzip, in base64 (RFC 4648, padded).
const (
	ReportBlock   = "triage-report"   // the report as `triage -o json` writes it
	DrawingsBlock = "triage-drawings" // what only the page's drawings need
)

const blockType = `<script type="application/json+gzip" id="`

// Block returns the element that holds data. Equal data gives an equal element.
func Block(id string, data []byte) (string, error) {
	var b bytes.Buffer
	b.WriteString(blockType + id + `">`)
	text := base64.NewEncoder(base64.StdEncoding, &b)
	gz, err := gzip.NewWriterLevel(text, gzip.BestCompression)
	if err == nil {
		_, err = gz.Write(data)
	}
	if err == nil {
		err = gz.Close()
	}
	if err == nil {
		err = text.Close()
	}
	if err != nil {
		return "", fmt.Errorf("packing the block %s: %w", id, err)
	}
	b.WriteString("</script>")
	return b.String(), nil
}

// errNoBlock is the error of a page without the block.
var errNoBlock = errors.New("the page has no such block")

// ReadBlock returns the data of the first block of a page with this id, at most limit bytes of it: more is an error.
func ReadBlock(page []byte, id string, limit int64) ([]byte, error) {
	_, rest, found := bytes.Cut(page, []byte(blockType+id+`">`))
	text, _, closed := bytes.Cut(rest, []byte("</script>"))
	if !found || !closed {
		return nil, errNoBlock
	}
	size, err := unpack(io.Discard, text, limit)
	if err == nil && size > limit {
		err = fmt.Errorf("it is larger than %d bytes", limit)
	}
	data := bytes.NewBuffer(nil)
	if err == nil { // the size is known now: a buffer that grows would take twice as much
		data.Grow(int(size) + bytes.MinRead)
		_, err = unpack(data, text, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("unpacking the block %s: %w", id, err)
	}
	return data.Bytes(), nil
}

// unpack writes at most limit bytes of a block's text to w, and one more where there are more.
func unpack(w io.Writer, text []byte, limit int64) (int64, error) {
	gz, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text)))
	if err != nil {
		return 0, err
	}
	return io.Copy(w, io.LimitReader(gz, limit+1))
}
