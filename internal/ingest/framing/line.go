package framing

// A Line is one line of a log with its framing taken off.
type Line struct {
	// Text is the unframed text without its line ending, valid until the handler returns. A record whose message is an
	// escaped dump yields one Line per escaped line, all with the record's Num.
	Text []byte
	// Num is the line's number in the stream, 1-based, counted over all parts of a rotated log (Result.Locate
	// maps it back to file and line).
	Num int64
	// Stream identifies the writer of the line: an index into Read's Result.Streams.
	Stream int32
	// Stamp is the timestamp text of the framing ("2026-11-20T18:05:32.123460341Z"), nil where it has none. Same
	// validity as Text.
	Stamp []byte
}
