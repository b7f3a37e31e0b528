package main

import (
	"strings"
	"testing"
)

func TestEveryLimitIsHeld(t *testing.T) {
	const tree = `testdata/tree/large.go:1: 502 lines in a file, more than 500
testdata/tree/limits.go:3: 121 columns, more than 120
testdata/tree/limits.go:5: 63 lines in long, more than 60
testdata/tree/limits.go:69: complexity 31 of branched, more than 30
testdata/tree/texts.md:3: avoid "Whoever"
testdata/tree/texts.md:3: avoid "tells"
testdata/tree/texts.md:4: avoid "hands them out"
testdata/tree/texts.md:7: avoid "85 %"
testdata/tree/texts.yaml:2: avoid "stands"
testdata/tree/texts.yaml:4: avoid "in place of"
testdata/tree/texts.yaml:6: avoid "mend"
testdata/tree/words.go:3: avoid "in place of"
testdata/tree/words.go:5: avoid "mendAll"
testdata/tree/words.go:5: avoid "isTold"
testdata/tree/words.go:5: avoid "HTTPMends"
testdata/tree/words.go:6: avoid "Whoever"
testdata/tree/words.go:6: avoid "somebody"
testdata/tree/words.go:12: avoid "dear"
testdata/tree/words.go:14: avoid "mending"
testdata/tree/words.go:14: avoid "Somebody"
testdata/tree/words_test.go:5: avoid "told"
`
	var out, errs strings.Builder
	if code := run([]string{"testdata/tree"}, &out, &errs); code != 1 || out.String() != tree {
		t.Errorf("exit status %d, prints\n%s%swant\n%s", code, out.String(), errs.String(), tree)
	}
}

func TestNothingToPrintIsSuccess(t *testing.T) {
	var out, errs strings.Builder
	if code := run([]string{"."}, &out, &errs); code != 0 || out.Len() > 0 {
		t.Errorf("exit status %d, prints\n%s%s", code, out.String(), errs.String())
	}
}
