package redact

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
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

// A fieldPath is the numbers of the fields of proto/profile.proto of github.com/google/pprof that lead to a field.
type fieldPath [3]int

// stringUses are what fields refer to strings for.
var stringUses = map[fieldPath]stringUse{
	{1, 1}: codeString, {1, 2}: codeString, {11, 1}: codeString, {11, 2}: codeString, // types, units of values
	{3, 5}: binaryFile, {3, 6}: codeString, {5, 2}: codeString, {5, 3}: codeString, {5, 4}: sourceFile,
	{7}: codeString, {8}: codeString, {14}: codeString,
	profileLabelKey: codeString, {2, 3, 2}: labelString, {2, 3, 4}: codeString,
}

// profileLabelKey leads to the key of a sample's label.
var profileLabelKey = fieldPath{2, 3, 1}

const (
	profileStrings  = 6
	profileComments = 13 // numbers, packed
)

var errProfile = errors.New("not a profile, or truncated")

// Profile redacts a pprof profile in its uncompressed binary form: the table of its strings loses the values of labels,
// comments, the paths of what was mapped and what nothing refers to. Functions and files of code stay.
func (t *Text) Profile(raw []byte) ([]byte, error) {
	var table [][]byte
	var err error
	for f := range fields(raw, &err) {
		if f.number == profileStrings {
			table = append(table, f.data)
		}
	}
	uses := make([]stringUse, len(table))
	findUses(raw, fieldPath{}, 0, table, uses, &err)
	if err != nil {
		return nil, err
	}
	out, n := make([]byte, 0, len(raw)), 0
	for f := range fields(raw, &err) {
		if f.number != profileStrings {
			out = append(out, f.whole...)
			continue
		}
		text := t.profileString(string(f.data), uses[n])
		out = append(binary.AppendUvarint(append(out, profileStrings<<3|2), uint64(len(text))), text...)
		n++
	}
	return out, nil
}

// findUses notes in uses what the fields of a message refer to each string of the table for; path leads to it, so deep.
func findUses(raw []byte, path fieldPath, depth int, table [][]byte, uses []stringUse, err *error) {
	runtime := false // the label says what the runtime knows of a goroutine
	for f := range fields(raw, err) {
		path[depth] = f.number
		runtime = runtime || path == profileLabelKey && f.value < uint64(len(table)) &&
			bytes.HasPrefix(table[f.value], runtimeLabel)
	}
	for f := range fields(raw, err) {
		path[depth] = f.number
		use := stringUses[path]
		if use == labelString && runtime {
			use = codeString
		}
		if f.value < uint64(len(uses)) {
			uses[f.value] = max(uses[f.value], use)
		}
		if depth == 0 && f.number != profileStrings && f.number != profileComments ||
			depth == 1 && path == (fieldPath{2, 3}) {
			findUses(f.data, path, depth+1, table, uses, err)
		}
	}
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

// label is the pseudonym of a label's value: programs put customers, users and requests there.
func (t *Text) label(v string) string {
	if v == "" || pseudonym([]byte(v)) || allDigits([]byte(v)) || t.lex.kept[Word] {
		return v
	}
	return t.names.of(Word, []byte(v))
}

// A wireField is one of a message in the wire format of protocol buffers: a number's value or a message's data, and the
// bytes of it all.
type wireField struct {
	number      int
	value       uint64
	data, whole []byte
}

// fields yields those of a message, up to what is broken, which is in err then.
func fields(raw []byte, err *error) iter.Seq[wireField] {
	return func(yield func(wireField) bool) {
		for len(raw) > 0 {
			tag, used := binary.Uvarint(raw)
			rest, size := raw[max(used, 0):], 0
			f := wireField{number: int(min(tag>>3, 1<<30))}
			switch tag & 7 {
			case 0: // varint
				f.value, size = binary.Uvarint(rest)
			case 1: // 8 bytes
				size = 8
			case 2: // length and bytes
				length, at := binary.Uvarint(rest)
				if at > 0 && length <= uint64(len(rest)-at) {
					size = at + int(length)
					f.data = rest[at:size]
				}
			case 5: // 4 bytes
				size = 4
			}
			if used <= 0 || f.number > 1<<29 || size <= 0 || size > len(rest) {
				*err = errProfile
				return
			}
			if f.whole = raw[:used+size]; !yield(f) {
				return
			}
			raw = rest[size:]
		}
	}
}
