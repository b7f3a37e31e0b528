package main

import (
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

func repeated(t *testing.T, text string, copies int, apart bool) string {
	t.Helper()
	var out strings.Builder
	if err := repeat(&out, []byte(text), copies, apart); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOneCopyIsTheDump(t *testing.T) {
	for _, text := range []string{sample, strings.TrimSuffix(sample, "\nrax    0x0\n\ndone\n")} {
		if got := repeated(t, text, 1, true); got != text {
			t.Errorf("wrote\n%s\nwant\n%s", got, text)
		}
	}
}

func TestACopyHasFreshIDsAndNothingElseIsNew(t *testing.T) {
	fresh := strings.NewReplacer("goroutine 1 [select]", "goroutine 9 [select]", "goroutine 7 [", "goroutine 15 [")
	if got, want := repeated(t, sample, 2, true), sample+fresh.Replace(sample); got != want {
		t.Errorf("apart, wrote\n%s\nwant\n%s", got, want)
	}
	_, goroutines, _ := strings.Cut(sample, "\n\n")
	goroutines, registers, _ := strings.Cut(goroutines, "\n\nrax")
	want := strings.Replace(sample, goroutines, goroutines+"\n\n"+fresh.Replace(goroutines), 1)
	if got := repeated(t, sample, 2, false); got != want || registers == "" {
		t.Errorf("as one dump, wrote\n%s\nwant\n%s", got, want)
	}
}
