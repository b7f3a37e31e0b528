package profile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
)

// Read reads a profile in any form that Go programs write since Go 1.9: protobuf, gzipped or not (proto/profile.proto
// of github.com/google/pprof), and the text of debug=1; what pprof prints for "top" too. Errors name what is wrong with
// the data; data isn't kept.
func Read(data []byte) (*Profile, error) {
	data, err := gunzip(data)
	if err != nil {
		return nil, fmt.Errorf("decompress profile: %w", err)
	}
	what, read := "profile", readProto
	switch {
	case len(data) == 0:
		return nil, errors.New("read profile: it is empty")
	case len(data) > maxProfile:
		return nil, fmt.Errorf("read profile: more than %d MiB", maxProfile>>20)
	case isText(data):
		read = readText
	case isTop(data):
		what, read = "pprof's top output", readTop
	}
	p, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return p, nil
}

// otherForm identifies data that are no profile by their first line, "" for none that it knows.
func otherForm(data []byte) string {
	line := firstLine(data[:min(len(data), 4096)])
	switch {
	case len(data) > 0 && data[0] == 0: // words of a machine: no field of a message has the number 0
		return "not a pprof profile: Go 1.8 and earlier wrote addresses without names; " +
			"go tool pprof -proto -output named.pb.gz PROGRAM FILE converts such a CPU profile"
	case bytes.HasPrefix(line, []byte("--- heapz")), bytes.HasPrefix(line, []byte("--- contentionz 1")):
		return "a Java program's profile in an old text format"
	case bytes.HasPrefix(line, []byte("heap profile:")), bytes.HasPrefix(line, []byte("--- threadz")),
		bytes.HasPrefix(line, []byte("--- Thread ")):
		return "a C++ program's profile in an old text format"
	case bytes.HasPrefix(line, []byte("goroutine ")):
		return "a goroutine dump, not a profile"
	case len(line) > 0 && bytes.IndexFunc(line, notText) < 0:
		return "text, but not in the runtime's debug=1 format"
	}
	return ""
}

func notText(r rune) bool { return r < ' ' && r != '\t' || r == utf8.RuneError }

// gunzip takes gzip off; data of no such form pass.
func gunzip(data []byte) ([]byte, error) {
	for range maxLayers {
		if !isGzip(data) {
			return data, nil
		}
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = readBounded(r, sizeHint(data)); err != nil {
			return nil, err
		}
	}
	if isGzip(data) {
		return nil, fmt.Errorf("more than %d layers of gzip", maxLayers)
	}
	return data, nil
}

func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }

// sizeHint is the size after decompression in gzip's last 4 bytes (RFC 1952, 2.3.1), as far as it is possible:
// deflate makes 1,032 bytes out of one at most.
func sizeHint(data []byte) int {
	if len(data) < 18 {
		return 512
	}
	size := int64(binary.LittleEndian.Uint32(data[len(data)-4:]))
	return int(min(size, int64(len(data))*1032, maxProfile)) + 512
}

// readBounded reads r to its end, maxProfile bytes at most.
func readBounded(r io.Reader, hint int) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, hint))
	n, err := buf.ReadFrom(io.LimitReader(r, maxProfile+1))
	if err != nil {
		return nil, err
	}
	if n > maxProfile {
		return nil, fmt.Errorf("more than %d MiB", maxProfile>>20)
	}
	return buf.Bytes(), nil
}
