package wait

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// uploads is a dump of a server with 120 uploads, each of which has got some bytes of its body.
func uploads(reader string, got int, state, stamp string) *rules.DumpInput {
	var b strings.Builder
	for i := range 120 {
		buffer := 0xc000800000 + 0x1000*i + got
		fmt.Fprintf(&b, "goroutine %d [%s]:\ninternal/poll.(*FD).Read(%#x, {%#x, 0x369, 0x400})\n"+
			"\t/usr/local/go/src/internal/poll/fd_unix.go:165 +0x2ae\nnet/http.(*body).readLocked(%#x, {%#x, 0x369, 0x400})\n"+
			"\t/usr/local/go/src/net/http/transfer.go:845 +0x3b\n%s(0x1)\n\t/usr/local/go/src/io/io.go:712 +0x6e\n"+
			"main.store(0x1)\n\t/src/shop/store.go:12 +0x6e\n\n", 9+i, state, 0xc000400000+0x80*i, buffer,
			0xc000600000+0x80*i, buffer, reader)
	}
	d := &rules.DumpInput{Dump: dumptest.ParseDumps([]byte(b.String()))[0], Input: stamp, Process: "p"}
	d.Stamp = stamp
	return d
}

func TestBodiesOfWhichNothingCameBetweenTwoDumpsAreAwaited(t *testing.T) {
	const start, later = "2026-11-20T18:00:00Z", "2026-11-20T18:02:00Z"
	for _, c := range []struct {
		name, reader, state, stamp string
		got, want, remarks         int
	}{
		{"nothing came", "io.ReadAll", "IO wait", later, 0, 2, 0},
		{"no times are known: devices send each few seconds", "io.ReadAll", "IO wait", "", 0, 0, 2},
		{"a little came", "io.ReadAll", "IO wait", later, 0x40, 0, 0},
		{"two seconds apart", "io.ReadAll", "IO wait", "2026-11-20T18:00:02Z", 0, 0, 0},
		{"what came may have been handed on", "io.Copy", "IO wait", later, 0, 0, 0},
		{"minutes show that some came", "io.ReadAll", "IO wait, 1 minutes", later, 0, 0, 0},
	} {
		dumps := []*rules.DumpInput{uploads(c.reader, 0, c.state, start), uploads(c.reader, c.got, c.state, c.stamp)}
		if c.stamp == "" {
			dumps[0].Stamp = ""
		}
		rulestest.Prepare(dumps, declared.Roles())
		found := map[rules.Confidence]int{}
		for _, f := range rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: dumps}) {
			if f.Name == "request-body-awaited" && f.Count == 120 {
				found[f.Confidence]++
			}
		}
		if found[rules.ConfMedium]+found[rules.ConfHigh] != c.want || found[rules.ConfLow] != c.remarks {
			t.Errorf("%s: %v, want %d sure, %d doubtful", c.name, found, c.want, c.remarks)
		}
	}
}
