package main

import (
	"bufio"
	"strings"
	"testing"
)

const sample = `starting
SIGABRT: abort
PC=0x1 m=0

goroutine 0 [idle]:
runtime.futex()

goroutine 1 [select]:
main.main()
created by main.f in goroutine 1

goroutine 7 [chan receive, 3 minutes]:
main.worker(0x7)

rax    0x0

done
`

func written(d dump, adds ...uint64) string {
	var text strings.Builder
	out := bufio.NewWriter(&text)
	out.Write(d.head)
	for _, add := range adds {
		d.write(out, add)
	}
	out.Write(d.tail)
	out.Flush()
	return text.String()
}

func TestADumpInPiecesIsTheDump(t *testing.T) {
	for _, text := range []string{sample, strings.TrimSuffix(sample, "\nrax    0x0\n\ndone\n")} {
		if got := written(cut([]byte(text)), 0); got != text {
			t.Errorf("wrote\n%s\nwant\n%s", got, text)
		}
	}
}

func TestACopyHasFreshIDsAndNothingElseIsNew(t *testing.T) {
	d := cut([]byte(sample))
	got := written(d, d.step)
	want := strings.NewReplacer("goroutine 1 [select]", "goroutine 9 [select]", "goroutine 7 [", "goroutine 15 [").Replace(sample)
	if got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
}
