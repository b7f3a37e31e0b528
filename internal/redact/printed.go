package redact

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
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

// encoded redacts text in base64 that begins at i: user data of machines, files of ignition. It returns where to go on,
// 0 where there is none or nothing in it was replaced.
func (s *scan) encoded(i, hi int) int {
	b := s.src
	if s.depth >= maxDepth || i > 0 && charClass[b[i-1]]&isBase64 != 0 && b[i-1] != '=' && b[i-1] != '/' {
		return 0
	}
	end := run(b, i, hi, isBase64)
	if end-i < minEncoded || (end-i)%4 != 0 || s.steps < end-i {
		return 0
	}
	if bytes.HasPrefix(b[i:end], gzipped64) {
		return s.compressed(i, end)
	}
	var head [12]byte
	if n, err := base64.StdEncoding.Decode(head[:], b[i:i+16]); err != nil || !printable(head[:n]) {
		return 0
	}
	s.steps -= end - i
	text := make([]byte, base64.StdEncoding.DecodedLen(end-i))
	n, err := base64.StdEncoding.Decode(text, b[i:end])
	if err != nil || !utf8.Valid(text[:n]) {
		return 0
	}
	out := s.within(text[:n])
	if bytes.Equal(out, text[:n]) {
		return 0
	}
	s.replace(i, end, base64.StdEncoding.EncodeToString(out))
	return end
}

// gzipped64 begins gzip (RFC 1952) in base64: Helm's releases, Fleet's bundles, annotations of Rancher.
var gzipped64 = []byte("H4sI")

// maxCompressed bounds what is decompressed of one word: etcd's limit of an object, some times compressed.
const maxCompressed = 8 << 20

// compressed redacts the text that src[i:end] holds in gzip and base64. It returns end where something was replaced, 0
// where not.
func (s *scan) compressed(i, end int) int {
	s.steps -= end - i
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(s.src[i:end])))
	if err != nil {
		return 0
	}
	text, err := io.ReadAll(io.LimitReader(r, maxCompressed))
	if s.steps -= len(text); err != nil || len(text) == maxCompressed || !utf8.Valid(text) {
		return 0
	}
	out := s.within(text)
	if bytes.Equal(out, text) {
		return 0
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(out); err != nil || w.Close() != nil {
		return 0
	}
	s.replace(i, end, base64.StdEncoding.EncodeToString(packed.Bytes()))
	return end
}

// dataURL redacts the text of a data URL that is percent-encoded (RFC 2397), as ignition's files are: the word src[i:j]
// is its scheme. It returns where to go on, 0 where nothing was replaced.
func (s *scan) dataURL(i, j, hi int) int {
	b := s.src
	if s.depth >= maxDepth || j >= hi || b[j] != ':' || string(b[i:j]) != "data" {
		return 0
	}
	end := j
	for end < hi && charClass[b[end]]&isEnd == 0 && bytes.IndexByte([]byte("\"'`<>\\"), b[end]) < 0 {
		end++
	}
	comma := bytes.IndexByte(b[j:end], ',')
	if comma < 0 || comma > 64 || bytes.HasSuffix(b[j:j+comma], []byte(";base64")) || s.steps < end-j {
		return 0
	}
	start := j + comma + 1
	s.steps -= end - start
	text, err := url.PathUnescape(string(b[start:end]))
	if err != nil || text == string(b[start:end]) || strings.Contains(text, pemHead) { // pemBegin knows blocks in URLs
		return 0
	}
	out := s.within([]byte(text))
	if string(out) == text {
		return 0
	}
	s.replace(start, end, url.PathEscape(string(out)))
	return end
}

// within redacts a text that is encoded in this one.
func (s *scan) within(text []byte) []byte {
	sub := s.t.scan()
	defer s.t.scans.Put(sub)
	text = s.t.also(text)
	return bytes.Clone(sub.unitAt(text, sniffText(text, ""), s.depth+1))
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x7f {
			return false
		}
	}
	return true
}

// maxByteArray bounds the bytes of a journal's message that are looked at: journald cuts at 48 KiB (LineMax).
const maxByteArray = 64 << 10

// byteArray redacts the text whose bytes the JSON array at i holds: journald writes messages that are no UTF-8, or hold
// colours, like that. It returns where the array ends, 0 where it is none or nothing was replaced.
func (s *scan) byteArray(i, hi int) int {
	b := s.src
	end := bytes.IndexByte(b[i:hi], ']')
	if end < 0 {
		return 0
	}
	end += i
	var text []byte
	for field := range bytes.SplitSeq(b[i+1:end], []byte(",")) {
		n, err := strconv.ParseUint(string(bytes.TrimSpace(field)), 10, 8)
		if err != nil || len(text) == maxByteArray {
			return 0
		}
		text = append(text, byte(n))
	}
	out := s.within(text)
	if bytes.Equal(out, text) {
		return 0
	}
	list := []byte{'['}
	for k, c := range out {
		if k > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendUint(list, uint64(c), 10)
	}
	s.replace(i, end+1, string(append(list, ']')))
	return end + 1
}

// printedData begins a Secret's data as Go prints it: %v and String(), %#v.
var printedData = onUse(`^(?:String)?Data:map\[string\](?:\[\]byte|\[\]uint8|string)\{`)

// printed drops the values of a Secret that Go printed, whose member Data or StringData is the word src[i:j]: what is
// in inner brackets, and behind a key's colon. It returns where to go on, 0 for none.
func (s *scan) printed(i, j, hi int) int {
	b := s.src
	if j >= hi || b[j] != ':' || !bytes.Contains(s.before(i), []byte("Secret{")) {
		return 0
	}
	head := printedData().Find(b[i:hi])
	if head == nil {
		return 0
	}
	i += len(head)
	for i < hi && b[i] != '}' {
		key := bytes.IndexAny(b[i:hi], ":}\n")
		if key < 0 || b[i+key] != ':' {
			break
		}
		start := skipBlanks(b, i+key+1, hi)
		if bytes.HasPrefix(b[start:hi], []byte("[]uint8")) {
			start += len("[]uint8")
		}
		ends := ",\n"
		if start < hi && (b[start] == '[' || b[start] == '{') {
			ends = string(b[start]+2) + "\n" // what closes it
			start++
		}
		end := bytes.IndexAny(b[start:hi], ends)
		if end < 0 {
			end = hi - start
		}
		s.dropValue(start, start+end)
		if i = start + end; i < hi && (ends[0] != ',' || b[i] == ',') {
			i++
		}
		i += len(b[i:hi]) - len(bytes.TrimLeft(b[i:hi], ","))
	}
	return i
}

// headlessPEM reports whether the line src[lo:hi] and the next are lines of a PEM block whose first line is cut off: 64
// characters of base64 (RFC 7468) in both, or the block's last line behind it.
func (s *scan) headlessPEM(lo, hi int) bool {
	b := s.src
	if !pemTail(b[lo:hi]) || hi+1 >= len(b) {
		return false
	}
	next := b[hi+1 : lineEnd(b, hi+1)]
	return pemTail(next) || bytes.Contains(next, []byte("-----END"))
}

// pemTail reports whether a line ends in 64 characters of base64 that are no number in hex.
func pemTail(line []byte) bool {
	const width = 64
	line = bytes.TrimRight(line, " \r")
	if len(line) < width || len(line) > width && charClass[line[len(line)-width-1]]&isEnd == 0 {
		return false
	}
	upper, lower := false, false
	for _, c := range line[len(line)-width:] {
		if charClass[c]&isBase64 == 0 || c == '-' || c == '_' {
			return false
		}
		upper = upper || charClass[c]&isUpper != 0
		lower = lower || c >= 'g' && c <= 'z'
	}
	return upper && lower
}
