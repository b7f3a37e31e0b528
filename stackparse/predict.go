package stackparse

import "bytes"

// Most goroutines are where another was before, so the lines of a stack are predicted: a stackPrefix is the inner end
// of a stack (the frames from the leaf down to some frame), and each remembers which frames followed it last. A
// predicted frame costs two comparisons; any other is split and hashed. On the founding dump nine frames in ten are
// predicted.
type stackPrefix struct {
	hash uint64 // stackBuilder.hash after this frame
	call string // "pkg.(*T).M(": how its function line begins
	loc  string // "/src/file.go:12": how its file line begins, behind the tab
	line string // loc with the offset and form.end behind it, as first met in place; "" where none was
	next [2]*stackPrefix
	// Where the dump under way keeps what ends here: dumpBuilder.byPrefix[slot], for the dump of that number.
	dump, slot uint32
}

// stackPrefixes are all prefixes seen in a stream, found by their hash.
type stackPrefixes struct {
	byHash map[uint64]*stackPrefix
	roots  [16]stackPrefix // by the goroutine's state: sleepers and receivers begin with different frames
	names  interner
}

// maxPrefixes bounds the memory for predictions, about 300 bytes a prefix with its names; stacks beyond it are hashed,
// and so are frames with a name of more than maxName bytes, or with a backslash.
const maxPrefixes = 1 << 16

// root is where a goroutine in the given state begins.
func (ps *stackPrefixes) root(state uint16) *stackPrefix { return &ps.roots[int(state)%len(ps.roots)] }

// extend returns the prefix that a frame makes of p, found by its hash, making it where it is new; nil where p is nil
// or there is no room. call and loc are how the frame's lines begin, without the tab.
func (ps *stackPrefixes) extend(p *stackPrefix, hash uint64, call, loc []byte) *stackPrefix {
	if p == nil {
		return nil
	}
	n := ps.byHash[hash]
	if n == nil {
		if len(ps.byHash) >= maxPrefixes || max(len(call), len(loc)) > maxName || hasEscape(call) || hasEscape(loc) {
			return nil
		}
		n = &stackPrefix{hash: hash, call: ps.names.string(call), loc: ps.names.string(loc)}
		ps.byHash[hash] = n
	}
	if p.next[0] != n {
		p.next[1] = p.next[0]
		p.next[0] = n
	}
	return n
}

// hasEscape reports a name that looks otherwise in escaped text.
func hasEscape(name []byte) bool { return bytes.IndexByte(name, '\\') >= 0 }

// predictFunc returns the predicted frame that a function line begins, nil for none.
func (p *stackPrefix) predictFunc(line []byte) *stackPrefix {
	if p == nil {
		return nil
	}
	if n := p.next[0]; n != nil && len(line) > len(n.call) && string(line[:len(n.call)]) == n.call {
		return n
	}
	if n := p.next[1]; n != nil && len(line) > len(n.call) && string(line[:len(n.call)]) == n.call {
		return n
	}
	return nil
}

// predictInText is predictFunc for text that goes on behind the function line.
func (p *stackPrefix) predictInText(text []byte) *stackPrefix {
	if p == nil {
		return nil
	}
	for _, n := range p.next {
		if n != nil && len(text) > len(n.call) && string(text[:len(n.call)]) == n.call && n.call[len(n.call)-1] == '(' {
			return n
		}
	}
	return nil
}

// predictCreator is predictFunc for a "created by" line; parent is the goroutine that it names.
func (p *stackPrefix) predictCreator(line []byte) (next *stackPrefix, parent uint64) {
	if p == nil {
		return nil, 0
	}
	for _, n := range p.next {
		if n == nil || len(line) < len(n.call) || string(line[:len(n.call)]) != n.call {
			continue
		}
		if len(line) == len(n.call) {
			return n, 0
		}
		if digits, ok := bytes.CutPrefix(line[len(n.call):], inParent); ok {
			if id, rest, ok := leadingUint(digits); ok && len(rest) == 0 {
				return n, id
			}
		}
	}
	return nil, 0
}

// hasFileLine reports whether a file line, given without its tab, is the predicted frame's.
func (p *stackPrefix) hasFileLine(line []byte) bool {
	n := len(p.loc)
	return len(line) >= n && string(line[:n]) == p.loc && endsPlace(line[n:])
}

// endsPlace reports whether what follows a place in its line is none of the place.
func endsPlace(rest []byte) bool {
	return len(rest) == 0 || len(rest) > 2 && rest[0] == ' ' && (rest[1] == '+' || rest[1] == 'f' && rest[2] == 'p')
}
