package stamp

import (
	"testing"
	"time"
)

func TestEpochsAreReadInAllUnits(t *testing.T) {
	const at = 1795197932*int64(time.Second) + 123*int64(time.Millisecond)
	for text, want := range map[string]struct {
		ns int64
		n  int
	}{
		"1795197932.123":      {at, 14},
		"1795197932123":       {at, 13},
		"1795197932123000,":   {at, 16},
		"1795197932123000000": {at, 19},
		"179519793":           {0, 0},
		"17951979321":         {0, 0},
		"0000000001":          {0, 0},
		"9999999999":          {0, 0},
		"":                    {0, 0},
	} {
		if ns, n := Epoch([]byte(text)); ns != want.ns || n != want.n {
			t.Errorf("%q: %d in %d bytes, want %d in %d", text, ns, n, want.ns, want.n)
		}
	}
}

func TestKlogsHeaderIsReadWhole(t *testing.T) {
	const line = "E0304 05:06:06.048422       1 manager.go:55] text"
	from, to, message, ok := Klog([]byte(line))
	if !ok || line[from:to] != "manager.go:55" || line[message:] != "text" {
		t.Errorf("%v: %q, %q", ok, line[from:to], line[message:])
	}
	for _, near := range []string{"E0304 05:06:06 manager.go:55] text", "X" + line[1:], line[:24], ""} {
		if _, _, _, ok := Klog([]byte(near)); ok {
			t.Errorf("%q has no header of klog's", near)
		}
	}
}
