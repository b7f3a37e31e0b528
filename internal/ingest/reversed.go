package ingest

import (
	"bytes"
	"errors"
	"io"
)

const (
	// minFalls is how many times the clock must go back in the first lines for a log to be called reversed, and fallRatio how
	// many times as often as forward: logs of several writers lie by a line or two, a restarted clock falls once.
	minFalls  = 4
	fallRatio = 20
	// maxStamped is how many lines are looked at.
	maxStamped = 2000
	// maxTurned bounds what is held of a log to turn it round; a node's journal is cut at 10 MiB by Rancher's collectors, and
	// has some 50 MB where nobody cuts it.
	maxTurned = 64 << 20
	turnPiece = 256 << 10
)

// isReversed reports whether the stamps at the beginning of text fall: journalctl -r writes the newest line first.
func isReversed(text []byte) bool {
	var last, cur []byte
	falls, rises, seen := 0, 0, 0
	for line := range bytes.Lines(text) {
		key := appendWhen(cur[:0], line)
		if len(key) == 0 {
			continue
		}
		if seen++; seen > maxStamped {
			break
		}
		if len(last) > 0 {
			switch c := bytes.Compare(key, last); {
			case c < 0:
				falls++
			case c > 0:
				rises++
			}
		}
		last, cur = key, last
	}
	return falls >= minFalls && rises*fallRatio <= falls
}

// appendWhen appends something by which the stamps of one log's lines compare; nothing where the line has none.
func appendWhen(dst, line []byte) []byte {
	if n := stampLen(line); n > 0 {
		// Without the zone, which would come between a second and its fractions.
		const date = len("2026-11-20T18:05:32")
		i := date
		for i < n && (line[i] == '.' || line[i] == ',' || isDigit(line[i])) {
			i++
		}
		return append(dst, line[:i]...)
	}
	if n := monthStampLen(line); n > 0 {
		month := bytes.Index([]byte("JanFebMarAprMayJunJulAugSepOctNovDec"), line[:3])
		day := line[4]
		if day == ' ' {
			day = '0'
		}
		dst = append(dst, byte(month), day)
		return append(dst, line[5:n]...)
	}
	if n := fullStampLen(line); n > 0 {
		return append(dst, line[4:n]...)
	}
	return dst
}

// turned reads a part whose lines stand newest first from its end, so that what a program wrote comes in order. The lines are
// numbered as they come; Result.Locate knows where they stand.
func (r *reading) turned(head []byte, in *input, pr *PartResult) error {
	pr.Reversed = true
	data := bytes.Clone(head)
	for {
		b, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		pr.Bytes += int64(len(b))
		data = append(data, b...)
		in.release()
		if len(data) > maxTurned {
			r.res.Skips = append(r.res.Skips, Skip{
				Path:   pr.Path,
				Reason: "its newest line comes first, and it is too large to be turned round: dumps in it can't be read",
				Hint:   "tac FILE turns it round",
			})
			return r.lines(data, in, pr)
		}
	}
	pr.turned = true
	return r.fromEnd(data)
}

// fromEnd scans the lines of data, last first.
func (r *reading) fromEnd(data []byte) error {
	piece := make([]byte, 0, turnPiece+len(newline))
	data = bytes.TrimSuffix(data, newline)
	for more := len(data) > 0; more; {
		i := bytes.LastIndexByte(data, '\n')
		line := data[i+1:]
		if more = i >= 0; more {
			data = data[:i]
		}
		if len(piece) > 0 && len(piece)+len(line) >= turnPiece {
			if err := r.scan.text(piece, marksOf(piece)); err != nil {
				return err
			}
			piece = piece[:0]
		}
		piece = append(append(piece, line...), '\n')
	}
	if len(piece) > 0 {
		if err := r.scan.text(piece, marksOf(piece)); err != nil {
			return err
		}
	}
	return r.scan.endPart()
}

// isHeadCut reports whether text begins in the middle of a line, as what tail -c leaves does: the first line has no stamp,
// and all that follow it have.
func isHeadCut(text []byte) bool {
	const follow = 5
	n := 0
	shape := byte(0)
	for line := range bytes.Lines(text) {
		s := shapeOf(line)
		if n == 0 && (s != 0 || isBanner(line)) {
			return false
		}
		if n == 1 {
			shape = s
		}
		if n > 0 && (s == 0 || s != shape) {
			return false
		}
		if n++; n > follow {
			return true
		}
	}
	return false
}

// shapeOf tells by their beginnings lines apart that all lines of a log have alike.
func shapeOf(line []byte) byte {
	switch {
	case stampLen(line) > 0:
		return 't'
	case monthStampLen(line) > 0:
		return 'm'
	case fullStampLen(line) > 0:
		return 'f'
	}
	return 0
}

// isBanner accepts what collectors and journalctl write before the first line.
func isBanner(line []byte) bool {
	line = bytes.TrimSpace(line)
	for _, begin := range []string{"-- ", "==", "#", "Hint:", "unable to ", "Error", "error", "failed to ", "Defaulted container"} {
		if bytes.HasPrefix(line, []byte(begin)) {
			return true
		}
	}
	return len(line) == 0
}
