// Package tile reads tiles.
package tile

import (
	"encoding/binary"
	"errors"
	"io"
)

// ErrFormat is for what isn't a tile.
var ErrFormat = errors.New("not a tile")

// A Tile is compressed.
type Tile struct{ data []byte }

// A Header is followed by the tile.
type Header struct {
	Magic  [4]byte
	Length [8]byte
}

// size is in bytes.
func (h *Header) size() uint64 {
	return binary.LittleEndian.Uint64(h.Length[:]) >> 16
}

// Decode reads one tile.
func Decode(r io.Reader) (Tile, error) {
	var h Header
	if err := binary.Read(r, binary.BigEndian, &h); err != nil {
		return Tile{}, err
	}
	if string(h.Magic[:]) != "TILE" {
		return Tile{}, ErrFormat
	}
	t := Tile{data: make([]byte, h.size())}
	_, err := io.ReadFull(r, t.data)
	return t, err
}
