package export

import (
	"bytes"
	"slices"
	"strings"
)

// commaOf returns what separates the columns of CSV by its header, 0 where text begins with none: with several short
// names of which one is what stores call the text or the time of a record, or all are single words.
func commaOf(text []byte) byte {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	first, _, ended := bytes.Cut(text[:min(len(text), maxHeader)], []byte{'\n'})
	first = bytes.TrimRight(first, "\r")
	if !ended || len(first) == 0 || first[0] == '{' || first[0] == '[' {
		return 0
	}
	for _, comma := range []byte{',', ';', '\t', '|'} {
		n := bytes.Count(first, []byte{comma})
		if (n > 0 || comma == ',' && first[0] == '"') && namesColumns(first, comma) {
			return comma
		}
	}
	return 0
}

// maxHeader bounds a header, maxName a name in it.
const (
	maxHeader = 8 << 10
	maxName   = 64
)

// namesColumns reports whether line is a header.
func namesColumns(line []byte, comma byte) bool {
	known, words := false, true
	for field := range bytes.SplitSeq(line, []byte{comma}) {
		name := strings.ToLower(string(bytes.Trim(field, `" `)))
		if len(name) > maxName || strings.ContainsAny(name, "=(){};!?") || strings.Contains(name, ": ") {
			return false
		}
		known = known || slices.Contains(textNames, name) || slices.Contains(timeNames, name) ||
			strings.Contains(name, "timestamp") || strings.HasSuffix(name, "message")
		words = words && name != "" && isLetter(name[0]) && !strings.ContainsAny(name, " /")
	}
	return known || words
}

// learnTable is Learn for CSV.
func learnTable(sample []byte, comma byte) *Shape {
	s := &Shape{Table: true, comma: comma, tree: newTree()}
	c := newSampler(s.tree)
	t := &table{in: newInput(bytes.NewReader(sample)), tree: s.tree, to: c, comma: comma, maxText: sampleText}
	if !t.header() {
		return nil
	}
	t.run()
	// The last row may be cut.
	if rows := int64(c.of(s.tree.root()).begun); rows < 1 || t.broken > 1+rows/20 {
		return nil
	}
	return s.choose(c)
}
