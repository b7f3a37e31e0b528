package redact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"path"
	"strings"
)

// A stringUse is what a profile refers to a string of its table for. What names code wins: code stays.
type stringUse uint8

const (
	textString  stringUse = iota // a comment, or nothing refers to it
	labelString                  // the value of a label
	binaryFile                   // what was mapped: its folder goes
	sourceFile
	codeString // a function, a unit, the key of a label
)

// stringUses are the fields of proto/profile.proto of github.com/google/pprof that refer to strings, by the number of
// their message's field in Profile and their own, 0 where they are Profile's own. Those of labels are one deeper.
var stringUses = map[[2]int]stringUse{
	{1, 1}: codeString, {1, 2}: codeString, {11, 1}: codeString, {11, 2}: codeString, // types, units of values
	{3, 5}: binaryFile, {3, 6}: codeString, {5, 2}: codeString, {5, 3}: codeString, {5, 4}: sourceFile,
	{7, 0}: codeString, {8, 0}: codeString, {14, 0}: codeString,
}

// More numbers of fields: of Profile, and of Sample.
const (
	profileSample   = 2
	profileStrings  = 6
	profileComments = 13
	sampleLabel     = 3
)

var errProfile = errors.New("not a profile, or truncated")

// Profile redacts a pprof profile in its uncompressed binary form: the table of its strings loses the values of labels,
// comments, the paths of what was mapped and what nothing refers to. Functions and files of code stay.
func (t *Text) Profile(raw []byte) ([]byte, error) {
	p := &profileStringUses{}
	err := eachField(raw, func(field int, _ uint64, data, _ []byte) {
		if field == profileStrings {
			p.table = append(p.table, data)
		}
	})
	if err != nil {
		return nil, err
	}
	p.uses = make([]stringUse, len(p.table))
	_ = eachField(raw, p.message)
	if p.err != nil {
		return nil, p.err
	}
	out, n := make([]byte, 0, len(raw)), 0
	_ = eachField(raw, func(field int, _ uint64, data, whole []byte) {
		if field != profileStrings {
			out = append(out, whole...)
			return
		}
		text := t.profileString(string(data), p.uses[n])
		out = append(binary.AppendUvarint(append(out, profileStrings<<3|2), uint64(len(text))), text...)
		n++
	})
	return out, nil
}

// profileStringUses are what a profile refers to the strings of its table for.
type profileStringUses struct {
	table [][]byte
	uses  []stringUse
	err   error
}

func (p *profileStringUses) refer(i uint64, use stringUse) {
	if i < uint64(len(p.uses)) {
		p.uses[i] = max(p.uses[i], use)
	}
}

// message notes what a field of a profile refers to.
func (p *profileStringUses) message(message int, v uint64, data, _ []byte) {
	if use, ok := stringUses[[2]int{message, 0}]; ok {
		p.refer(v, use)
	}
	if data == nil || message == profileStrings || message == profileComments { // numbers of comments, packed
		return
	}
	p.each(data, func(field int, v uint64, data, _ []byte) {
		if message == profileSample && field == sampleLabel {
			p.label(data)
		} else if use, ok := stringUses[[2]int{message, field}]; ok {
			p.refer(v, use)
		}
	})
}

// each is eachField, whose first error p keeps.
func (p *profileStringUses) each(data []byte, yield func(field int, value uint64, data, whole []byte)) {
	if err := eachField(data, yield); p.err == nil {
		p.err = err
	}
}

func (p *profileStringUses) label(data []byte) {
	const key, str, unit = 1, 2, 4
	var refers [unit + 1]uint64
	p.each(data, func(field int, v uint64, _, _ []byte) {
		if field <= unit {
			refers[field] = v
		}
	})
	p.refer(refers[key], codeString)
	p.refer(refers[unit], codeString)
	use := labelString
	if k := refers[key]; k < uint64(len(p.table)) && bytes.HasPrefix(p.table[k], runtimeLabel) {
		use = codeString
	}
	p.refer(refers[str], use)
}

func (t *Text) profileString(text string, use stringUse) string {
	switch use {
	case codeString:
		return text
	case labelString:
		return t.label(text)
	case sourceFile:
		return t.codePath(text)
	case binaryFile:
		if text = path.Base(strings.ReplaceAll(text, `\`, "/")); text == "." {
			return ""
		}
	}
	return t.String(text)
}

// eachField yields the fields of a message in the wire format of protocol buffers: a number's value or a message's
// data, and the bytes of it all.
func eachField(raw []byte, yield func(field int, value uint64, data, whole []byte)) error {
	for len(raw) > 0 {
		tag, used := binary.Uvarint(raw)
		if used <= 0 || tag>>3 > 1<<29 {
			return errProfile
		}
		rest, size := raw[used:], 0
		var value uint64
		var data []byte
		switch tag & 7 {
		case 0: // varint
			value, size = binary.Uvarint(rest)
		case 1: // 8 bytes
			size = 8
		case 2: // length and bytes
			length, at := binary.Uvarint(rest)
			if at <= 0 || length > uint64(len(rest)-at) {
				return errProfile
			}
			size = at + int(length)
			data = rest[at:size]
		case 5: // 4 bytes
			size = 4
		}
		if size <= 0 || size > len(rest) {
			return errProfile
		}
		yield(int(tag>>3), value, data, raw[:used+size])
		raw = rest[size:]
	}
	return nil
}

// label is the pseudonym of a label's value: programs put customers, users and requests there.
func (t *Text) label(v string) string {
	if v == "" || pseudonym([]byte(v)) || allDigits([]byte(v)) || t.lex.kept[Word] {
		return v
	}
	return t.names.of(Word, []byte(v))
}
