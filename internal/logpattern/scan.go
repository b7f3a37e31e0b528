package logpattern

import (
	"encoding/binary"
	"math/bits"
)

// What a byte is to the scan.
const (
	inWord  = 1 << iota // belongs to a word
	digit               // makes a word a mark
	closing             // ends a sentence or a clause where it ends a word
)

// classes of all bytes. Words are what names, paths, URLs, times, versions and numbers are made of.
var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = inWord | digit
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80:
			t[c] = inWord
		}
	}
	for _, c := range "_-/@%+*~#$&" {
		t[c] = inWord
	}
	for _, c := range ":.!?" {
		t[c] = inWord | closing
	}
	return t
}()

// A token is a word of a line.
type token struct {
	start, end uint16
	marked     bool // it has a digit, or it is the value of an id: the form has a mark in its place
}

// A tokenScan is what one pass over a line found.
type tokenScan struct {
	form   uint64 // hash of the line with its marked words left out
	n      int    // tokens
	cut    bool   // there was more than maxTokens
	tokens [maxTokens]token
	values [maxTokens]uint64 // hashes of the tokens
}

// word is the i-th token of text, nil where there is none.
func (s *tokenScan) word(text []byte, i int) []byte {
	if i < 0 || i >= s.n {
		return nil
	}
	return text[s.tokens[i].start:s.tokens[i].end]
}

const (
	k0 = 0xa0761d6478bd642f // wyhash's constants
	k1 = 0xe7037ed1a0b428db
)

func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^v, k0)
	return hi ^ lo
}

func hash(b []byte) uint64 {
	h := uint64(len(b)) * k1 // a length alone would only flip bits of the first byte
	for len(b) > 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	return mix(h, upTo8(b))
}

func upTo8(b []byte) uint64 {
	switch n := len(b); {
	case n == 8:
		return binary.LittleEndian.Uint64(b)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
	case n > 0:
		return uint64(b[0]) | uint64(b[n>>1])<<8 | uint64(b[n-1])<<16
	}
	return 0
}

// read scans text from its byte at on. seed separates what has equal words: writers, levels, places.
func (s *tokenScan) read(text []byte, at int, seed uint64) {
	h, n := seed, 0
	i := at
	last := byte(0)
	idKey := false
	for i < len(text) {
		c := text[i]
		class := classes[c]
		if class&inWord == 0 || class&closing != 0 {
			if c != ' ' || last != ' ' {
				h = (h ^ uint64(c)) * k1
			}
			if c == '=' || c == ':' {
				idKey = n > 0 && isIDKey(text[s.tokens[n-1].start:s.tokens[n-1].end])
			} else if c == ' ' && last != ':' {
				idKey = false
			}
			last = c
			i++
			continue
		}
		if n == maxTokens {
			s.cut = true
			break
		}
		start, flags := i, class
		for i++; i < len(text); i++ {
			class = classes[text[i]]
			if class&inWord == 0 {
				break
			}
			flags |= class
		}
		end := i
		for end > start+1 && classes[text[end-1]]&closing != 0 {
			end--
		}
		i = end
		v := hash(text[start:end])
		marked := flags&digit != 0 || idKey
		if marked {
			h = mix(h, k1)
		} else {
			h = mix(h, v)
		}
		idKey, last = false, 0
		s.tokens[n] = token{start: uint16(start), end: uint16(end), marked: marked}
		s.values[n] = v
		n++
	}
	s.form, s.n = h, n
}

// isIDKey reports that a key's values are ids: drawn at random, often without a digit.
func isIDKey(key []byte) bool {
	n := len(key)
	if n < 2 || key[n-1]|0x20 != 'd' || key[n-2]|0x20 != 'i' {
		return false
	}
	// "id", "reconcileID", "requestId", "trace_id", "uid"; not "valid".
	return n == 2 || key[n-1] == 'D' || key[n-2] == 'I' || key[n-3] == '_' || key[n-3] == '-' || key[n-3] == '.' ||
		n == 3 && key[0] == 'u'
}
