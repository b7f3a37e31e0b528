// Command block-miner looks for a number with which a block's hash begins with zeros.
package main

import (
	"crypto/sha256"
	"encoding/binary"

	"wild/kit"
)

// mine tries numbers until a hash begins with two bytes of zero, which takes some 65,000.
func mine(header [80]byte) uint64 {
	for nonce := uint64(0); ; nonce++ {
		binary.LittleEndian.PutUint64(header[72:], nonce)
		sum := sha256.Sum256(header[:])
		if sum[0] == 0 && sum[1] == 0 {
			return nonce
		}
	}
}

func main() {
	kit.Serve()
	var header [80]byte
	for block := uint64(0); ; block++ {
		binary.LittleEndian.PutUint64(header[:], block)
		binary.LittleEndian.PutUint64(header[8:], mine(header))
	}
}
