package ingest

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/framing"
)

const (
	// maxTurned bounds what is held of a log to turn it round; a node's journal is cut at 10 MiB by Rancher's
	// collectors, and has some 50 MB elsewhere.
	maxTurned = 64 << 20
	turnPiece = 256 << 10
)

// readReversed reads a part whose newest line comes first from its end, so that what a program wrote comes in order.
// The lines are numbered as they come; Result.Locate maps them to their lines.
func (p *partReader) readReversed() error {
	p.result.Reversed = true
	data, err := p.collect(maxTurned)
	if err != nil {
		return err
	}
	if len(data) > maxTurned {
		p.sourceReader.result.Skips = append(p.sourceReader.result.Skips, Skip{
			Path:   p.part.Path,
			Reason: "its newest line comes first, and it is too large to be reversed: dumps in it can't be read",
			Hint:   "tac FILE reverses it",
		})
		p.head = data
		return p.lines()
	}
	p.result.turned = true
	return p.scanBackwards(data)
}

// scanBackwards scans the lines of data, last first.
func (r *sourceReader) scanBackwards(data []byte) error {
	piece := make([]byte, 0, turnPiece+len(newline))
	scan := func() error {
		if len(piece) == 0 {
			return nil
		}
		err := r.scanner.Text(piece, framing.MarksOf(piece))
		piece = piece[:0]
		return err
	}
	data = bytes.TrimSuffix(data, newline)
	for more := len(data) > 0; more; {
		i := bytes.LastIndexByte(data, '\n')
		line := data[i+1:]
		if more = i >= 0; more {
			data = data[:i]
		}
		if len(piece)+len(line) >= turnPiece {
			if err := scan(); err != nil {
				return err
			}
		}
		piece = append(append(piece, line...), '\n')
	}
	if err := scan(); err != nil {
		return err
	}
	return r.scanner.EndPart()
}
