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
func (r *reading) readReversed(head []byte, in *readAhead, pr *PartResult) error {
	pr.Reversed = true
	data, err := r.collect(head, in, pr, maxTurned)
	if err != nil {
		return err
	}
	if len(data) > maxTurned {
		r.res.Skips = append(r.res.Skips, Skip{
			Path:   pr.Path,
			Reason: "its newest line comes first, and it is too large to be turned round: dumps in it can't be read",
			Hint:   "tac FILE turns it round",
		})
		return r.lines(data, in, pr)
	}
	pr.turned = true
	return r.scanBackwards(data)
}

// scanBackwards scans the lines of data, last first.
func (r *reading) scanBackwards(data []byte) error {
	piece := make([]byte, 0, turnPiece+len(newline))
	scan := func() error {
		if len(piece) == 0 {
			return nil
		}
		err := r.scan.Text(piece, framing.MarksOf(piece))
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
	return r.scan.EndPart()
}
