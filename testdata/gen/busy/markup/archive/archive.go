// Package archive reads archives that are in memory.
package archive

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

const block = 4096

// A Reader reads an archive: blocks, each with its sum, then their count.
type Reader struct {
	data   []byte
	blocks int
}

// NewReader checks all blocks.
func NewReader(data []byte) (*Reader, error) {
	r := &Reader{data: data}
	return r, r.check()
}

// NewDirectoryReader checks the directory alone: each entry lies behind the one before.
func NewDirectoryReader(data []byte) (*Reader, error) {
	r := &Reader{data: data}
	return r, r.directory()
}

func (r *Reader) check() error {
	for at := 0; at+block+4 <= len(r.data); at += block + 4 {
		if !r.sound(r.data[at : at+block+4]) {
			return errors.New("archive: a damaged block")
		}
		r.blocks++
	}
	return nil
}

func (r *Reader) sound(b []byte) bool {
	return crc32.ChecksumIEEE(b[:block]) == binary.LittleEndian.Uint32(b[block:])
}

func (r *Reader) directory() error {
	for at := 0; at+8 <= len(r.data); at += 8 {
		if err := r.entry(at); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) entry(at int) error {
	if at > 0 && binary.LittleEndian.Uint64(r.data[at:]) < binary.LittleEndian.Uint64(r.data[at-8:]) {
		return errors.New("archive: entries in the wrong order")
	}
	r.blocks++
	return nil
}

// Write makes an archive of what is given.
func Write(data []byte) (out []byte) {
	for ; len(data) >= block; data = data[block:] {
		out = append(out, data[:block]...)
		out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(data[:block]))
	}
	return out
}
