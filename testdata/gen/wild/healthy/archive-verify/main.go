// Command archive-verify checks that backups can be unpacked: it decompresses each whole and compares its checksum.
package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"log"

	"github.com/ulikunitz/xz"

	"wild/kit"
)

type backup struct {
	packed []byte
	sum    uint32
}

// pack makes a backup of some megabytes.
func pack(seed int) (backup, error) {
	var raw, packed bytes.Buffer
	for i := 0; i < 60_000; i++ {
		fmt.Fprintf(&raw, "%08d;customer %d;%d,%02d EUR\n", i*seed, (i*seed)%9973, i%400, i%100)
	}
	w, err := xz.NewWriter(&packed)
	if err != nil {
		return backup{}, err
	}
	if _, err := w.Write(raw.Bytes()); err != nil {
		return backup{}, err
	}
	if err := w.Close(); err != nil {
		return backup{}, err
	}
	return backup{packed.Bytes(), crc32.ChecksumIEEE(raw.Bytes())}, nil
}

// verify unpacks a backup.
func verify(b backup) error {
	r, err := xz.NewReader(bytes.NewReader(b.packed))
	if err != nil {
		return err
	}
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, r); err != nil {
		return err
	}
	if sum.Sum32() != b.sum {
		return fmt.Errorf("checksum is %08x, want %08x", sum.Sum32(), b.sum)
	}
	return nil
}

func main() {
	kit.Serve()
	var backups []backup
	for _, seed := range []int{3, 7, 11} {
		b, err := pack(seed)
		if err != nil {
			log.Fatal(err)
		}
		backups = append(backups, b)
	}
	for n := 0; ; n++ {
		if err := verify(backups[n%len(backups)]); err != nil {
			log.Fatal(err)
		}
	}
}
