package well

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"math"
	"sort"
	"strings"

	"example.com/fixtures/burn/run"
)

// startMix does one thing after the other.
func startMix(s *run.Service) error {
	m := &mix{counts: map[string]int{}, words: strings.Fields(strings.Repeat("node pod disk ready failed zone rack spare ", 40))}
	steps := []func(){m.arithmetic, m.matrix, m.count, m.sort, m.digest, m.encode, m.join, m.pack, m.search, m.sieve, m.edit, m.crc}
	n := 0
	s.Loop(func() {
		steps[n%len(steps)]()
		n++
	})
	return nil
}

type mix struct {
	counts map[string]int
	words  []string
	sum    float64
	text   string
	packer *gzip.Writer
}

func (m *mix) arithmetic() {
	for i := 1; i < 4000; i++ {
		m.sum += math.Sqrt(float64(i))
	}
}

func (m *mix) matrix() {
	var a, b, c [24][24]float64
	for i := range a {
		for j := range b {
			for k := range c {
				c[i][j] += a[i][k]*b[k][j] + 1
			}
		}
	}
	m.sum += c[3][3]
}

func (m *mix) count() {
	for _, w := range m.words {
		m.counts[w]++
	}
}

func (m *mix) sort() {
	list := append([]string(nil), m.words[:60]...)
	sort.Strings(list)
	m.sum += float64(len(list[0]))
}

func (m *mix) digest() {
	sum := sha256.Sum256(bytes.Repeat([]byte("x"), 6000))
	m.sum += float64(sum[0])
}

func (m *mix) encode() {
	m.text = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("y"), 9000))
}

func (m *mix) join() {
	for i := 0; i < 4; i++ {
		m.text = strings.Join(m.words, ",")
	}
}

func (m *mix) pack() {
	if m.packer == nil {
		m.packer = gzip.NewWriter(io.Discard)
	}
	m.packer.Reset(io.Discard)
	io.WriteString(m.packer, m.text[:120])
	m.packer.Close()
}

func (m *mix) search() {
	for i := 0; i < 8; i++ {
		m.sum += float64(strings.Count(m.text, "ready"))
	}
}

func (m *mix) sieve() {
	var composite [6000]bool
	for i := 2; i*i < len(composite); i++ {
		for j := i * i; j < len(composite); j += i {
			composite[j] = true
		}
	}
	m.sum++
}

// edit is the distance between two words.
func (m *mix) edit() {
	a, b := "horizontalpodautoscaler", "verticalpodautoscaler-v2"
	row := make([]int, len(b)+1)
	for i := 0; i < len(a)*10; i++ {
		last := i
		for j := range b {
			cost := row[j]
			if a[i%len(a)] != b[j] {
				cost++
			}
			if row[j+1]+1 < cost {
				cost = row[j+1] + 1
			}
			row[j], last = last, cost
		}
	}
	m.sum += float64(row[0])
}

func (m *mix) crc() {
	crc := uint16(0xffff)
	for _, b := range []byte(m.text[:500]) {
		crc ^= uint16(b) << 8
		for i := 0; i < 8; i++ {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	m.sum += float64(crc)
}
