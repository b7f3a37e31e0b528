package stackparse

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gotriage/triage/internal/captures"
)

func TestParse_EqualsAParserFedLineByLine(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	dir := captures.Dumps(t, fixtures)
	for _, row := range plainDumps(t) {
		text := readFixture(t, dir, filepath.FromSlash(row["file"]))
		got, err := Parse(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(parse(text), got, cmpopts.IgnoreUnexported(Bucket{}, Frame{})); diff != "" {
			t.Errorf("%s: fed (-), Parse (+):\n%s", row["file"], diff)
		}
	}
}

func TestParse_CutsLongLinesAndGoesOn(t *testing.T) {
	for _, n := range []int{maxLine - 1, maxLine, maxLine + 1, 5 * maxLine} {
		dumps, err := Parse(strings.NewReader(strings.Repeat("x", n) + "\r\n" + strings.ReplaceAll(pair, "\n", "\r\n")))
		if err != nil || len(dumps) != 1 || dumps[0].Line != 2 || dumps[0].Goroutines != 2 {
			t.Errorf("behind a line of %d bytes: %d dumps, %v", n, len(dumps), err)
		}
	}
}

func TestParse_ReturnsWhatWasReadBeforeAnError(t *testing.T) {
	broken := errors.New("broken")
	dumps, err := Parse(io.MultiReader(strings.NewReader(pair), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(dumps) != 1 {
		t.Errorf("%d dumps, %v", len(dumps), err)
	}
}
