package redact

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What programs print of secrets in other forms than as they are: bytes as numbers, base64, manifests in logs.

// minEncoded is from how many bytes of base64 on text in it is looked for: 24 bytes hold no shorter secret with its
// key.
const minEncoded = 32

// A coding is a form in which texts are written into others.
type coding struct {
	decode func(b []byte) ([]byte, error)
	encode func(text []byte) string
}

var (
	base64Text = coding{
		func(b []byte) ([]byte, error) { return base64.StdEncoding.AppendDecode(nil, b) },
		base64.StdEncoding.EncodeToString,
	}
	// gzipText is gzip in base64: Helm's releases, Fleet's bundles, cloud-init, annotations of Rancher.
	gzipText    = coding{unzip64, zip64}
	percentText = coding{
		func(b []byte) ([]byte, error) {
			text, err := url.PathUnescape(string(b))
			return []byte(text), err
		},
		func(text []byte) string { return url.PathEscape(string(text)) },
	}
	// numbersText is the array of bytes that journald makes of messages that are no UTF-8, or hold colours.
	numbersText = coding{numbersOf, numbersIn}
)

// recode redacts the text that src[i:end] holds in a coding. It returns end, 0 where there is none.
func (s *scan) recode(i, end int, c coding) int {
	if s.depth >= maxDepth || s.steps < end-i {
		return 0
	}
	s.steps -= end - i
	text, err := c.decode(s.src[i:end])
	if s.steps -= len(text); err != nil || !utf8.Valid(text) {
		return 0
	}
	if out := s.within(text); !bytes.Equal(out, text) {
		s.replace(i, end, c.encode(out))
	}
	return end
}

// gzipped64 begins gzip (RFC 1952) in base64.
var gzipped64 = []byte("H4sI")

// encoded redacts text in base64 that begins at i: user data of machines, files of ignition. It returns where to go on,
// 0 where there is none.
func (s *scan) encoded(i, hi int) int {
	b := s.src
	if i > 0 && charClass[b[i-1]]&isBase64 != 0 && b[i-1] != '=' && b[i-1] != '/' {
		return 0
	}
	c := gzipText
	if !bytes.HasPrefix(b[i:hi], gzipped64) {
		c = base64Text
		var head [12]byte
		if n, err := base64.StdEncoding.Decode(head[:], b[i:min(i+16, hi)]); err != nil || !printable(head[:n]) {
			return 0
		}
	}
	end := run(b, i, hi, isBase64)
	if end-i < minEncoded || (end-i)%4 != 0 {
		return 0
	}
	return s.recode(i, end, c)
}

// maxCompressed bounds what is decompressed of one word: etcd's limit of an object, some times compressed.
const maxCompressed = 8 << 20

func unzip64(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(b)))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxCompressed))
	if len(text) == maxCompressed {
		return text, errLong
	}
	return text, err
}

var errLong = errors.New("too long to check")

func zip64(text []byte) string {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(text) // into memory
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}

// dataURL redacts the text of a data URL that is percent-encoded (RFC 2397), as ignition's files are: the word at i
// is its scheme. It returns where to go on, 0 for none.
func (s *scan) dataURL(i, hi int) int {
	if s.steps < 0 {
		return 0
	}
	m := dataText().FindSubmatchIndex(s.src[i:hi])
	if m == nil || bytes.Contains(s.src[i:i+m[1]], []byte(pemHead)) { // pemBegin knows those
		return 0
	}
	s.steps -= m[1]
	return s.recode(i+m[2], i+m[3], percentText)
}

// dataText is a data URL that isn't base64, with its text.
var dataText = onUse("^data:(?:[\\w/+.=-]|;[ac-z])*,([^\x00-\x20\"'`<>\\\\]*%[^\x00-\x20\"'`<>\\\\]*)")

// within redacts a text that is encoded in this one.
func (s *scan) within(text []byte) []byte {
	sub := s.t.scan()
	defer s.t.scans.Put(sub)
	text = s.t.also(text)
	return bytes.Clone(sub.unit(text, sniffText(text, ""), s.depth+1))
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x7f {
			return false
		}
	}
	return true
}

// numbersOf reads a JSON array of bytes.
func numbersOf(b []byte) (text []byte, err error) {
	for field := range bytes.SplitSeq(b[1:len(b)-1], []byte(",")) {
		n, err := strconv.ParseUint(string(bytes.TrimSpace(field)), 10, 8)
		if err != nil {
			return nil, errLong
		}
		text = append(text, byte(n))
	}
	return text, nil
}

func numbersIn(text []byte) string { return strings.ReplaceAll(fmt.Sprint(text), " ", ",") }

// printedData begins a Secret's data as Go prints it, %v and String(), %#v, and printedValue is a member: what is in
// inner brackets, or behind a key's colon.
var (
	printedData  = onUse(`^(?:String)?Data:map\[string\](?:\[\]byte|\[\]uint8|string)\{`)
	printedValue = onUse(`^,*[^:}\n]*:(?: *(?:\[\]uint8)?[\[{]([^\]}\n]*)[\]}]?| *([^,\n]*))`)
)

// printed drops the values of a Secret that Go printed. Its member Data or StringData begins at i. The result is where
// to go on, or 0 if there is no Secret.
func (s *scan) printed(i, hi int) int {
	b := s.src
	if !bytes.Contains(s.before(i), []byte("Secret{")) {
		return 0
	}
	head := printedData().Find(b[i:hi])
	if head == nil {
		return 0
	}
	for i += len(head); ; {
		m := printedValue().FindSubmatchIndex(b[i:hi])
		if m == nil {
			return i
		}
		s.dropValue(i+max(m[2], m[4]), i+max(m[3], m[5]))
		i += m[1]
	}
}
