package redact

import (
	"bytes"
	"path"
)

const (
	// headSize is what a stream's kind is read from.
	headSize = 64 << 10
	// unitSize is how much of a stream is redacted at a time where its lines or documents allow it.
	unitSize = 256 << 10
	// maxUnit bounds a line or document that is seen as a whole. etcd allows objects of 1.5 MiB, an API server logs
	// responses of a few MiB in one line; what is longer is redacted in pieces, more strictly.
	maxUnit = 16 << 20
)

// A textKind is how a unit is read.
type textKind uint8

const (
	plainText textKind = iota
	yamlText
	jsonText
)

// sniffText returns how text is best taken apart.
func sniffText(head []byte, name string) textKind {
	trimmed := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(trimmed) == 0 {
		return plainText
	}
	if trimmed[0] == '{' || trimmed[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(trimmed[1:], " \t\r\n"), []byte("{")) {
		return jsonText
	}
	ext := path.Ext(name)
	for line := range bytes.Lines(trimmed) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case len(line) == 0, line[0] == '#', bytes.HasPrefix(line, []byte("---")):
			continue
		case ext == ".yaml", ext == ".yml",
			bytes.HasPrefix(line, []byte("apiVersion:")), bytes.HasPrefix(line, []byte("kind:")),
			bytes.HasPrefix(line, []byte("- apiVersion:")):
			return yamlText
		}
		break
	}
	return plainText
}

// lastItem is where the last document or element of a list of objects begins, 0 where there is none.
func lastItem(b []byte) int {
	for end := len(b); end > 0; {
		i := bytes.LastIndexByte(b[:end-1], '\n') + 1
		if i == 0 {
			return 0
		}
		line := b[i:end]
		if bytes.HasPrefix(line, []byte("- ")) || bytes.HasPrefix(line, []byte("---")) ||
			bytes.HasPrefix(line, []byte("  - apiVersion:")) {
			return i
		}
		end = i
	}
	return 0
}

// A jsonCut finds where JSON values end, whatever the pieces in which they come.
type jsonCut struct {
	pos    int // looked at so far
	depth  int
	quoted bool
	arrays uint64   // a bit for each of the first 64 levels: it is an array
	comma  int      // behind the last comma between elements of an array of the first two levels
	kind   textKind // plainText while no value has had more than one line
}

// next returns the length of the values at the front of b that are complete, at least unitSize of them where there are
// more; 0 for none yet.
func (c *jsonCut) next(b []byte) int {
	end := 0
	for ; c.pos < len(b); c.pos++ {
		ch := b[c.pos]
		if c.quoted {
			switch ch {
			case '\\':
				c.pos++
			case '"':
				c.quoted = false
			}
			continue
		}
		switch ch {
		case '"':
			c.quoted = c.depth > 0
		case '{', '[':
			if c.depth < 64 {
				c.arrays &^= 1 << c.depth
				if ch == '[' {
					c.arrays |= 1 << c.depth
				}
			}
			c.depth++
		case '}', ']':
			if c.depth--; c.depth <= 0 {
				c.depth = 0
				end = c.pos + 1
			}
		case ',':
			if c.depth > 0 && c.depth <= 2 && c.arrays&(1<<(c.depth-1)) != 0 {
				c.comma = c.pos + 1
			}
		case '\n':
			if c.depth == 0 {
				end = c.pos + 1
			} else {
				c.kind = jsonText
			}
		}
		if end >= unitSize {
			c.pos++
			break
		}
	}
	return end
}

func (c *jsonCut) emitted(n int) {
	c.pos = max(c.pos-n, 0)
	c.comma = max(c.comma-n, 0)
}
