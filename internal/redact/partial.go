package redact

import (
	"bytes"
	"slices"
)

// Container runtimes cut lines at 16 KiB: CRI marks all pieces but the last with P, docker's json-file leaves the line
// break out of their text. A secret may lie across a cut, so the pieces of a line are redacted as one text.

// maxChain bounds the pieces of one line that are waited for.
const maxChain = 4 << 20

// A piece is a line that a runtime wrote, or a part of one.
type piece struct {
	start, end int  // of its text
	stream     byte // 'o' or 'e'
	more       bool // the line goes on in the stream's next piece
}

// pieceOf takes the line src[lo:hi] apart; ok is false for lines that no runtime wrote.
func pieceOf(b []byte, lo, hi int) (p piece, ok bool) {
	if hi-lo < 20 {
		return p, false
	}
	k := lo
	switch c := b[lo]; {
	case c == '{':
		return dockerPiece(b, lo, hi)
	case isDigit(c):
		k += stampEnd(b[lo:hi])
	}
	if k == lo || k+9 > hi {
		return p, false
	}
	switch string(b[k : k+7]) {
	case "stdout ", "stderr ":
		p.stream = b[k+3]
	default:
		return p, false
	}
	k += 7
	p.more = b[k] == 'P'
	if !p.more && b[k] != 'F' {
		return p, false
	}
	p.start, p.end = hi, hi
	if tags := bytes.IndexByte(b[k:hi], ' '); tags >= 0 { // behind colons
		p.start = k + tags + 1
	}
	return p, true
}

func dockerPiece(b []byte, lo, hi int) (p piece, ok bool) {
	head := []byte(`{"log":"`)
	if !bytes.HasPrefix(b[lo:hi], head) {
		return p, false
	}
	p.start = lo + len(head)
	if p.end = closing(b, p.start, hi, 0); p.end < 0 {
		return p, false
	}
	_, stream, ok := bytes.Cut(b[p.end:hi], []byte(`"stream":"std`))
	if !ok || len(stream) < 3 {
		return p, false
	}
	p.stream = stream[0]
	p.more = !bytes.HasSuffix(b[p.start:p.end], []byte(`\n`))
	return p, true
}

func (s *scan) plainLines() {
	b := s.src
	s.edits, s.pieces = s.edits[:0], s.pieces[:0]
	lines, moved := s.again, false
	s.again = nil
	for i := 0; i < len(b); {
		if s.passes > 0 && s.idle() {
			k, _ := slices.BinarySearch(lines, i)
			if k == len(lines) {
				break
			}
			i = lines[k]
		}
		at, busy := len(s.dst)+i-s.from, !s.idle()
		moved, s.moved = moved || s.moved, false
		if s.block.root.container {
			i = s.blockLines(i)
			continue
		}
		end := lineEnd(b, i)
		p, ok := pieceOf(b, i, end)
		joined := ok && slices.Contains(s.pieces, p.start)
		chained := joined || ok && p.more
		if chained {
			if !joined {
				s.join(p, end)
			}
			for len(s.edits) > 0 && s.edits[0].start < p.end {
				s.replace(s.edits[0].start, s.edits[0].end, s.edits[0].rep)
				s.edits = s.edits[1:]
			}
			s.text(p.end, end)
		} else {
			s.line(i, end)
		}
		if chained || s.moved || busy || !s.idle() {
			s.again = append(s.again, at)
		}
		i = end + 1
	}
	s.moved = moved || s.moved
}

// idle reports whether nothing is carried to the next line.
func (s *scan) idle() bool { return !s.pem.active && !s.flag && !s.block.root.container }

// join redacts the line that begins with first, whose own line ends at end, and notes what is to be replaced in each of
// its pieces.
func (s *scan) join(first piece, end int) {
	b := s.src
	chain, whole := []piece{first}, slices.Clone(b[first.start:first.end])
	s.pieces = append(s.pieces, first.start)
	for i := end + 1; i < len(b) && len(whole) < maxChain && len(s.pieces) < maxChainPieces; {
		stop := lineEnd(b, i)
		if p, ok := pieceOf(b, i, stop); ok && p.stream == first.stream {
			chain, whole = append(chain, p), append(whole, b[p.start:p.end]...)
			s.pieces = append(s.pieces, p.start)
			if !p.more {
				break
			}
		}
		i = stop + 1
	}
	joined := s.t.scan()
	defer s.t.scans.Put(joined)
	joined.begin(whole)
	joined.note, joined.edits = true, joined.edits[:0]
	joined.carried = carried{pem: s.pem, secrets: s.secrets}
	joined.line(0, len(whole))
	s.pem = joined.pem
	for _, e := range joined.edits {
		at := 0
		for _, p := range chain { // the first piece that it lies in gets all of what replaces it
			from, to := max(e.start-at, 0), min(e.end-at, p.end-p.start)
			if from < to {
				s.edits = append(s.edits, edit{p.start + from, p.start + to, e.rep})
				e.rep = ""
			}
			at += p.end - p.start
		}
	}
	joined.src = nil
	slices.SortFunc(s.edits, func(a, b edit) int { return a.start - b.start })
}

// maxChainPieces bounds the pieces of lines that a unit may have open; those of a line of 4 MiB are 256.
const maxChainPieces = 4096

// maxBetween is how many lines of the other stream may lie between two pieces.
const maxBetween = 256

// openChain is where the first line begins whose last piece isn't among the complete lines of b, len(b) where there is
// none.
func openChain(b []byte) int {
	open := len(b)
	done := [256]bool{} // by stream
	end := len(b)
	for lines := 0; end > 0 && !(done['o'] && done['e']) && (open < len(b) || lines < maxBetween); lines++ {
		start := bytes.LastIndexByte(b[:end-1], '\n') + 1
		p, ok := pieceOf(b, start, end-1)
		if !ok {
			return open
		}
		if !p.more {
			done[p.stream] = true
		} else if !done[p.stream] {
			open = start
		}
		end = start
	}
	return open
}
