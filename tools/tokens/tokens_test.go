// Package tokens counts the tokens of `triage -o agent` with a model's vocabulary.
package tokens

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// maxTokens is what `-o agent` promises.
const maxTokens = 1_500

func TestAVerdictTakesAtMost1500Tokens(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	triage := filepath.Join(t.TempDir(), "triage")
	build := exec.Command("go", "build", "-o", triage, "./cmd/triage")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var inputs []string
	for _, pattern := range []string{"dumps/go1.26/*.txt", "dumps/*.tar.zst", "profiles/*.pb.gz", "bundles/*", "pods", "pods-fleet", "well/*.tar.zst"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "testdata", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		step := max(1, len(found)/12) // some of each kind: a run takes a tenth of a second
		for i := 0; i < len(found); i += step {
			inputs = append(inputs, found[i])
		}
	}
	inputs = append(inputs, hostile(t, "signs", "!@#$%^&*~?"), hostile(t, "letters", "qzxjkvwQZXJKVW"), hostile(t, "unicode", "ǅȸ֍ݪ"))
	worst, at := 0, ""
	for _, in := range inputs {
		out, err := exec.Command(triage, "-o", "agent", in).Output()
		if err != nil && len(out) == 0 {
			t.Fatalf("%s: %v", in, err)
		}
		ids, _, err := codec.Encode(string(out))
		if err != nil {
			t.Fatal(err)
		}
		if len(ids) > maxTokens {
			t.Errorf("%s: %d tokens", in, len(ids))
		}
		if len(ids) > worst {
			worst, at = len(ids), in
		}
	}
	t.Logf("%d inputs, at most %d tokens (%s)", len(inputs), worst, at)
}

// hostile is a dump whose names take as many tokens as they can.
func hostile(t *testing.T, name, alphabet string) string {
	t.Helper()
	runes := []rune(alphabet)
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for id := range 40 {
		b.WriteString("goroutine " + string(rune('1'+id%9)) + string(rune('0'+id/9)) + " [runnable]:\nruntime.Gosched(...)\n\t/go/src/runtime/proc.go:388\nmain.")
		for range 900 {
			b.WriteRune(runes[random.IntN(len(runes))])
		}
		b.WriteString("(...)\n\t/x.go:7 +0x1\n\n")
	}
	path := filepath.Join(t.TempDir(), name+".txt")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
