package xz_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

func TestWhatIsPackedUnpacks(t *testing.T) {
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip(err)
	}
	text := strings.Repeat("goroutine 1 [running]:\n", 100_000)
	var packed bytes.Buffer
	w, err := xz.NewWriter(&packed)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("xz", "-d")
	cmd.Stdin = &packed
	if got, err := cmd.Output(); err != nil || string(got) != text {
		t.Errorf("%d bytes, want %d: %v", len(got), len(text), err)
	}
}

func TestAWriterThatFailsIsReported(t *testing.T) {
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip(err)
	}
	w, err := xz.Start(&bytes.Buffer{}, "none such")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "none such") {
		t.Errorf("got %v, want what xz says", err)
	}
}
