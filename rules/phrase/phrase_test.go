package phrase

import "testing"

func TestByteSize(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 bytes", 1023: "1023 bytes", 1024: "1 KiB", 67108864: "64 MiB", 272367616: "259.8 MiB", 1 << 40: "1 TiB",
		1<<64 - 1: "16 EiB",
	} {
		if got := ByteSize(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
