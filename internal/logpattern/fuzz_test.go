package logpattern

import (
	"bytes"
	"testing"
)

// FuzzLine mines hostile lines: nothing may fail, and the counts must add up.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		"time=\"2026-03-04T10:00:00Z\" level=info msg=\"bundle a/b: Resource is current\"\ntime=\"2026-03-04T10:00:01Z\" level=info msg=\"bundle a/c: Resource is current\"",
		"I0304 10:00:00.000000       1 a.go:1] \"x\" key=\"a/b\" err=\"\\\"q\nE0304 10:00:00.000000 1 a.go:1]",
		"{\"level\":\"info\",\"ts\":1,\"msg\":\"x\",\"a\":{\"b\":{\"c\":{\"name\":\"d\"}}},\"e\":[1,{\"f\":\"}\"}]",
		"2026-03-04T10:00:00Z\tINFO\ta\tb.go:1\tm\t{\"request\": \"a/b\"}\n2026/03/04 10:00:00 x", "10.0.0.1 - - [04/Mar/2026:10:11:12 +0200] \"GET / HTTP/1.1\"",
		"a=b=c=\"d\" =x ==\n\"\n{\"\n{\"a\":\nKind:\"a\", Name:\"b\"\nDeployment/a/b/c\n", "Waited for 9999999999h due to client-side throttling\nWaited for 1s due to client-side throttling",
		"Feb 29 10:00:00 h x\nMar  1 10:00:00 h x\nDec 31 23:59:59 h x\nJan  1 00:00:00 h x", "\x00\xff\xfe id= ID=\x80 uid=\"",
	} {
		f.Add([]byte(seed), []byte("2026-03-04T10:00:00.5Z"))
		f.Add([]byte(seed), []byte(nil))
	}
	f.Add([]byte("x"), []byte("Mar  4 10:00:00"))
	f.Add([]byte("2026-03-04T10:00:00.504TZ04T0:00:00 h x\nDec 31 23:59:59 h x\nJan"), []byte("2026-03-04T10400:00.504TZ"))
	f.Add([]byte("x"), []byte("0304 10:00:00.000000"))
	f.Fuzz(func(t *testing.T, text, stamp []byte) {
		m := NewMiner()
		num := int64(0)
		for range 2 {
			for line := range bytes.SplitSeq(text, []byte("\n")) {
				num++
				if id := m.Line(line, num, int32(num%2), stamp); id >= m.made {
					t.Fatalf("pattern %d of %d", id, m.made)
				}
			}
		}
		checkLog(t, m.Close(), num)
	})
}
