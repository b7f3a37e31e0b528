package stackparse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds a line that Parse reads, in bytes. What a dump keeps of one is far shorter: see maxFrameLine and
// maxCauseText.
const maxLine = 64 << 10

// Parse reads r to its end and returns the dumps in it, in the order of their ends. The text is that of one stream
// without framing: kubectl's or a container runtime's prefixes are no part of a line. Of a line longer than 64 KiB the
// rest is dropped. Where r fails, Parse returns the dumps up to there and r's error.
func Parse(r io.Reader) ([]*Dump, error) {
	var dumps []*Dump
	p := NewParser(func(d *Dump) { dumps = append(dumps, d) })
	in := bufio.NewReaderSize(r, maxLine)
	for num := int64(1); ; num++ {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			p.Line(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'}), num, nil)
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if err == nil {
			continue
		}
		p.Close()
		if errors.Is(err, io.EOF) {
			return dumps, nil
		}
		return dumps, fmt.Errorf("line %d: %w", num, err)
	}
}
