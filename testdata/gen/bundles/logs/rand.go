// Package logs writes what the components of a cluster log while all is well: each in the format of the real component, at
// rates of healthy clusters. Names and values are invented; the same seed gives the same lines.
package logs

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

// A Rand draws invented values.
type Rand struct {
	*rand.Rand
	Host string // the node that journald writes the lines of
}

// NewRand gives the same draws for the same seed.
func NewRand(seed string) *Rand {
	h := fnv.New64a()
	h.Write([]byte(seed))
	return &Rand{Rand: rand.New(rand.NewPCG(h.Sum64(), 0x9e3779b97f4a7c15)), Host: "node-a1"}
}

// Between draws from [lo, hi].
func (r *Rand) Between(lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// Gap draws the time to the next of events that come independently of each other, every mean on average.
func (r *Rand) Gap(mean time.Duration) time.Duration {
	return time.Duration(-math.Log(1-r.Float64()) * float64(mean))
}

// Jitter is d, at most share of it longer or shorter.
func (r *Rand) Jitter(d time.Duration, share float64) time.Duration {
	return time.Duration(float64(d) * (1 + share*(2*r.Float64()-1)))
}

const hexDigits = "0123456789abcdef"

// alnum are the letters and digits that Kubernetes makes names of (k8s.io/apimachinery, util/rand).
const alnum = "bcdfghjklmnpqrstvwxz2456789"

func (r *Rand) appendFrom(b []byte, alphabet string, n int) []byte {
	for range n {
		b = append(b, alphabet[r.IntN(len(alphabet))])
	}
	return b
}

// Hex is n hexadecimal digits.
func (r *Rand) Hex(n int) string { return string(r.appendFrom(nil, hexDigits, n)) }

// Suffix is n characters of a generated name.
func (r *Rand) Suffix(n int) string { return string(r.appendFrom(nil, alnum, n)) }

// UUID is a random UUID of version 4.
func (r *Rand) UUID() string { return string(r.appendUUID(nil)) }

func (r *Rand) appendUUID(b []byte) []byte {
	hi, lo := r.Uint64(), r.Uint64()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 2<<62
	for i := range 16 {
		if i == 8 || i == 12 {
			b = append(b, '-')
		}
		b = append(b, hexDigits[hi>>(60-4*i)&15])
	}
	for i := range 16 {
		if i == 0 || i == 4 {
			b = append(b, '-')
		}
		b = append(b, hexDigits[lo>>(60-4*i)&15])
	}
	return b
}
