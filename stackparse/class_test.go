package stackparse

import (
	"testing"

	"github.com/gotriage/triage/stackparse/frame"
)

// The lines are those of src/runtime/chan.go in the last release of each minor version.
func TestABinaryProfileShowsASendOnANilChannelByItsLine(t *testing.T) {
	for _, c := range []struct {
		release    string
		send, recv [2]int // for a nil channel, for any other
	}{
		{"1.12", [2]int{147, 236}, [2]int{433, 524}}, {"1.13", [2]int{147, 236}, [2]int{433, 524}},
		{"1.14", [2]int{147, 241}, [2]int{439, 535}}, {"1.15", [2]int{163, 258}, [2]int{466, 577}},
		{"1.16", [2]int{163, 257}, [2]int{466, 576}}, {"1.17", [2]int{163, 257}, [2]int{466, 576}},
		{"1.18", [2]int{164, 258}, [2]int{467, 577}}, {"1.19", [2]int{165, 259}, [2]int{469, 583}},
		{"1.20", [2]int{165, 259}, [2]int{469, 583}}, {"1.21", [2]int{165, 259}, [2]int{469, 583}},
		{"1.22", [2]int{165, 259}, [2]int{469, 583}}, {"1.23", [2]int{176, 270}, [2]int{516, 639}},
		{"1.24", [2]int{181, 283}, [2]int{533, 664}}, {"1.25", [2]int{181, 283}, [2]int{536, 667}},
		{"1.26", [2]int{181, 283}, [2]int{536, 667}}, {"1.27", [2]int{181, 283}, [2]int{536, 667}},
	} {
		for _, w := range []struct {
			fn     string
			line   int
			file   string
			leaf   string
			claims Class
		}{
			{"chansend", c.send[0], "/go/src/runtime/chan.go", "runtime.gopark", ClassNilChan},
			{"chansend", c.send[1], "/go/src/runtime/chan.go", "runtime.gopark", ClassChanSend},
			{"chanrecv", c.recv[0], "/go/src/runtime/chan.go", "runtime.gopark", ClassChanReceive},
			{"chanrecv", c.recv[1], "/go/src/runtime/chan.go", "runtime.gopark", ClassChanReceive},
			// Of a fork of the runtime nothing is known, and a goroutine that runs there waits for nothing.
			{"chansend", c.send[0], "/go/src/mine/chan.go", "runtime.gopark", ClassChanSend},
			{"chansend", c.send[0], "/go/src/runtime/chan.go", "runtime.memmove", ClassChanSend},
		} {
			frames := []Frame{
				{Frame: frame.Frame{Func: w.leaf, File: "/go/src/runtime/proc.go", Line: 1}},
				{Frame: frame.Frame{Func: "runtime." + w.fn, File: w.file, Line: w.line}},
				{Frame: frame.Frame{Func: "runtime." + w.fn + "1", File: w.file, Line: 1}},
				{Frame: frame.Frame{Func: "main.main", File: "/src/main.go", Line: 1}},
			}
			if got := classOf(frames, ""); got != w.claims {
				t.Errorf("Go %s, %s:%d in %s below %s: %s, want %s", c.release, w.fn, w.line, w.file, w.leaf, got, w.claims)
			}
		}
	}
}
