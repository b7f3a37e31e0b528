package ingest

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A utf16Reader turns UTF-16, which is what `>` writes in Windows PowerShell, into UTF-8.
type utf16Reader struct {
	r     io.Reader
	order binary.ByteOrder
	in    [8192]byte
	n     int // bytes in in
	out   []byte
	high  rune // a high surrogate that waits for its partner
	err   error
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 && u.err == nil {
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	if n == 0 {
		return 0, u.err
	}
	return n, nil
}

func (u *utf16Reader) fill() {
	n, err := u.r.Read(u.in[u.n:])
	u.n += n
	u.out = u.out[:0]
	i := 0
	for ; i+1 < u.n; i += 2 {
		u.unit(rune(u.order.Uint16(u.in[i:])))
	}
	u.n = copy(u.in[:], u.in[i:u.n])
	if err != nil {
		if u.high != 0 {
			u.out = utf8.AppendRune(u.out, utf8.RuneError)
			u.high = 0
		}
		u.err = err
	}
}

func (u *utf16Reader) unit(r rune) {
	if u.high != 0 {
		pair := utf16.DecodeRune(u.high, r)
		u.high = 0
		u.out = utf8.AppendRune(u.out, pair)
		if pair != utf8.RuneError {
			return
		}
	}
	if utf16.IsSurrogate(r) && r < 0xdc00 {
		u.high = r
		return
	}
	u.out = utf8.AppendRune(u.out, r)
}

// textReader turns the text encodings that Windows writes into UTF-8 and drops byte order marks. Like magic
// it waits for no more than it must.
func textReader(r peeker) io.Reader {
	head, _ := r.Peek(2)
	switch {
	case len(head) < 2:
		return r
	case head[0] == 0 || head[1] == 0:
		head, _ = r.Peek(512)
	case head[0] == 0xef && head[1] == 0xbb:
		head, _ = r.Peek(3)
	}
	switch {
	case head[0] == 0xff && head[1] == 0xfe:
		_, _ = r.Discard(2)
		return &utf16Reader{r: r, order: binary.LittleEndian}
	case head[0] == 0xfe && head[1] == 0xff:
		_, _ = r.Discard(2)
		return &utf16Reader{r: r, order: binary.BigEndian}
	case len(head) >= 3 && head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf:
		_, _ = r.Discard(3)
		return r
	case everyOther(head, 1):
		return &utf16Reader{r: r, order: binary.LittleEndian}
	case everyOther(head, 0):
		return &utf16Reader{r: r, order: binary.BigEndian}
	}
	return r
}

// A peeker is what textReader needs of a bufio.Reader.
type peeker interface {
	io.Reader
	Peek(n int) ([]byte, error)
	Discard(n int) (int, error)
}

// everyOther reports ASCII in UTF-16 without a mark: at least 16 units, all bytes at odd (even) places zero and none
// of the others.
func everyOther(head []byte, zero int) bool {
	if len(head) < 32 {
		return false
	}
	for i := range len(head) &^ 1 {
		if (head[i] == 0) != (i&1 == zero) || head[i] >= 0x80 {
			return false
		}
	}
	return true
}
