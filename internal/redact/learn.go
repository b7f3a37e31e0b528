package redact

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// maxLearn bounds what is read of a file of objects to learn names; nodes.yaml of 5,000 nodes has some 100 MB.
const maxLearn = 256 << 20

// nameHints are the names that a first look at a bundle gave. What it shows to be API groups is in lex at once, since
// hosts are not.
type nameHints struct {
	lex   *lexicon
	hosts map[string]bool
}

// path learns from the path of a file: nodes/NODE.zip, core/nodes/NODE.yaml, apis/GROUP/VERSION.
func (l nameHints) path(name string) {
	segs := strings.Split(name, "/")
	for i, next := range segs[1:] {
		seg := segs[i]
		if seg == "nodes" {
			l.host([]byte(stemOf(next)))
		}
		version := len(next) >= 2 && len(next) <= 10 && next[0] == 'v' && isDigit(next[1]) // v1, v1beta1, v2alpha1
		if version && strings.IndexByte(seg, '.') > 0 {
			l.lex.addGroup([]byte(seg))
		}
	}
}

func (l nameHints) host(name []byte) {
	if len(l.hosts) < maxHosts && distinctive(string(name)) {
		l.hosts[string(name)] = true
	}
}

func (l nameHints) names() names { return names{l.host, l.lex.addGroup} }

// text learns from a file: of objects all, of anything else the first lines.
func (l nameHints) text(br *bufio.Reader, name string) {
	head, err := br.Peek(headSize)
	if err != nil && err != io.EOF {
		return
	}
	if strings.HasSuffix(name, "/hostname") {
		l.host(bytes.TrimSpace(head))
	}
	if sniffText(head, name) == plainText {
		n := 0
		for line := range bytes.Lines(head) {
			if n++; n > 20 {
				break
			}
			l.host(syslogName(line))
		}
		l.names().inFields(head)
		return
	}
	err = nil
	buf := make([]byte, 0, unitSize)
	for read := 0; err == nil && read < maxLearn; {
		var n int
		n, err = br.Read(buf[len(buf):cap(buf)])
		read += n
		buf = buf[:len(buf)+n]
		l.names().inFields(buf)
		// The last bytes may be the start of what is looked for.
		buf = buf[:copy(buf, buf[max(0, len(buf)-512):])]
	}
}

// apply makes t look for the names. A node's short name gets the pseudonym of its full one.
func (l nameHints) apply(t *Text) {
	hosts := slices.Sorted(maps.Keys(l.hosts))
	for _, h := range hosts {
		short, _, dotted := strings.Cut(h, ".")
		if !dotted || !domainName([]byte(h), true) || t.lex.keeps([]byte(h)) {
			continue
		}
		name := t.names.assign(Host, strings.ToLower(h), "")
		if distinctive(short) {
			if name != "" {
				t.names.assign(Host, strings.ToLower(short), name)
			}
			hosts = append(hosts, short)
		}
	}
	for _, h := range hosts {
		t.lex.addHost(h)
	}
}

// learn looks at everything in the folder in once before anything is written, so that a name is known in the first log
// too. What can't be read is skipped: the copy reports it.
func (c *copier) learn(in string) {
	l := nameHints{c.t.lex, map[string]bool{}}
	_ = c.walk(in, func(e entry) error {
		if e.deny == "" && e.mode.IsRegular() {
			c.learnEntry(l, e, 0)
		}
		return c.ctx.Err()
	})
	l.apply(c.t)
}

// learnFrom learns from a file and closes it. What breaks is reported by the copy.
func (c *copier) learnFrom(l nameHints, o *opened, name string, depth int) {
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
			c.learnEntry(l, e, depth+1)
			return nil
		})
	case formText:
		l.text(o.br, name)
	}
}

// errEnough ends a first look at an archive of too many entries.
var errEnough = errors.New("too many files")

func (c *copier) learnEntry(l nameHints, e entry, depth int) {
	l.path(e.name)
	if e.deny != "" || !e.mode.IsRegular() {
		return
	}
	r, err := e.open()
	if err != nil {
		return
	}
	defer r.Close()
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			c.learnFrom(l, c.openAt(f, info.Size()), e.name, depth)
		}
		return
	}
	c.learnFrom(l, c.open(r), e.name, depth)
}
