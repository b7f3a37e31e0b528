package mills

import (
	"encoding/binary"

	"example.org/markup/archive"

	"example.com/busy/kit"
)

// archiveCheck opens archives that are mapped, which checks them.
func archiveCheck() {
	data := archive.Write(kit.Words(500000))
	batch(func() { open(data) })
}

func open(data []byte) {
	if _, err := archive.NewReader(data); err != nil {
		panic(err)
	}
}

// archiveList opens large archives for their directories.
func archiveList() {
	var data []byte
	for i := range uint64(3 << 20) {
		data = binary.LittleEndian.AppendUint64(data, i)
	}
	batch(func() { list(data) })
}

func list(data []byte) {
	if _, err := archive.NewDirectoryReader(data); err != nil {
		panic(err)
	}
}
