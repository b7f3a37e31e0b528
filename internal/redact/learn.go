package redact

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// maxLearn bounds what is read of a file of objects to learn names; nodes.yaml of 5,000 nodes has some 100 MB.
const maxLearn = 256 << 20

// learnHost makes t look for a host's name that a first look at the input gave. A node's short name gets the pseudonym
// of its full one.
func (t *Text) learnHost(name []byte) {
	h := string(name)
	if t.lex.all[h] || !distinctive(h) {
		return
	}
	short, _, dotted := strings.Cut(h, ".")
	if dotted && domainName(name, true) && !t.lex.keeps(name) && len(t.lex.all) < maxHosts {
		p := t.names.assign(Host, strings.ToLower(h), "")
		if distinctive(short) {
			if p != "" {
				t.names.assign(Host, strings.ToLower(short), p)
			}
			t.lex.addHost(short)
		}
	}
	t.lex.addHost(h)
}

// learnPath learns from the path of a file: nodes/NODE.zip, core/nodes/NODE.yaml, apis/GROUP/VERSION.
func (t *Text) learnPath(name string) {
	segs := strings.Split(name, "/")
	for i, next := range segs[1:] {
		seg := segs[i]
		if seg == "nodes" {
			t.learnHost([]byte(stemOf(next)))
		}
		version := len(next) >= 2 && len(next) <= 10 && next[0] == 'v' && isDigit(next[1]) // v1, v1beta1, v2alpha1
		if version && strings.IndexByte(seg, '.') > 0 {
			t.lex.addGroup([]byte(seg))
		}
	}
}

// learnText learns from a file: of objects all, of anything else the first lines.
func (t *Text) learnText(br *bufio.Reader, name string) {
	head, err := br.Peek(headSize)
	if err != nil && err != io.EOF {
		return
	}
	if strings.HasSuffix(name, "/hostname") {
		t.learnHost(bytes.TrimSpace(head))
	}
	if sniffText(head, name) == plainText {
		n := 0
		for line := range bytes.Lines(head) {
			if n++; n > 20 {
				break
			}
			t.learnHost(syslogName(bytes.TrimSuffix(line, []byte("\n"))))
		}
		t.namesIn(head, false)
		t.groupsIn(head)
		return
	}
	err = nil
	buf := make([]byte, 0, unitSize)
	for read := 0; err == nil && read < maxLearn; {
		var n int
		n, err = br.Read(buf[len(buf):cap(buf)])
		read += n
		buf = buf[:len(buf)+n]
		t.namesIn(buf, false)
		t.groupsIn(buf)
		// The last bytes may be the start of what is looked for.
		buf = buf[:copy(buf, buf[max(0, len(buf)-512):])]
	}
}

func (t *Text) groupsIn(b []byte) {
	for name := range groupField.in(b) {
		t.lex.addGroup(name)
	}
}

// learnFrom learns from a file and closes it. What breaks is reported by the copy.
func (c *copier) learnFrom(o *opened, name string, depth int) {
	defer o.close()
	if o.err != nil || depth >= c.o.MaxDepth || c.ctx.Err() != nil {
		return
	}
	switch o.form {
	case formZip, formTar:
		if o.form == formZip && c.list(o) != nil {
			return
		}
		_, _ = c.each(o, func(e entry) error {
			if c.entries++; c.entries > c.o.MaxEntries || c.ctx.Err() != nil {
				return errEnough
			}
			c.learnEntry(e, depth+1)
			return nil
		})
	case formText:
		c.t.learnText(o.br, name)
	}
}

// errEnough ends a first look at an archive of too many entries.
var errEnough = errors.New("too many files")

func (c *copier) learnEntry(e entry, depth int) {
	c.t.learnPath(e.name)
	if e.deny != "" || !e.mode.IsRegular() {
		return
	}
	if r, err := e.open(); err == nil {
		defer r.Close()
		c.learnFrom(c.openEntry(r), e.name, depth)
	}
}
