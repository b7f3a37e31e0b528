package rules_test

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
)

func TestTheTestOfAGoroutineIsTheOneThatLedToIt(t *testing.T) {
	const dump = `panic: test timed out after 2s
	running tests:
		TestMove/both_ways (2s)
		TestOther (2s)

goroutine 7 [chan receive]:
testing.(*T).Run(0x1)
	/go/src/testing/testing.go:2109 +0x4e5
shop.TestMove(0x1)
	/src/shop/move_test.go:11 +0x48
testing.tRunner(0x1, 0x2)
	/go/src/testing/testing.go:2036 +0xea
created by testing.(*T).Run in goroutine 1
	/go/src/testing/testing.go:2101 +0x4c5

goroutine 8 [chan receive]:
shop.TestMove.func1(0x1)
	/src/shop/move_test.go:13 +0x48
testing.tRunner(0x1, 0x2)
	/go/src/testing/testing.go:2036 +0xea
created by testing.(*T).Run in goroutine 7
	/go/src/testing/testing.go:2101 +0x4c5

goroutine 9 [chan send]:
shop.move()
	/src/shop/move.go:13 +0x48
created by shop.start in goroutine 8
	/src/shop/move.go:11 +0x4c5

goroutine 10 [chan send]:
shop.other()
	/src/shop/move.go:23 +0x48
created by shop.TestThird.func2 in goroutine 99
	/src/shop/move.go:21 +0x4c5
`
	d := dumptest.ParseDumps([]byte(dump))[0]
	for id, want := range map[uint64]string{
		8: "TestMove/both_ways", 9: "TestMove/both_ways", 7: "TestMove/both_ways", 10: "TestThird", 0: "TestOther",
	} {
		if got := rules.TestOf(d, id); got != want {
			t.Errorf("goroutine %d: test %q, want %q", id, got, want)
		}
	}
	own := dumptest.ParseDumps([]byte(strings.Split(dump, "\n\n")[3] + "\n"))[0]
	if got := rules.TestOf(own, 9); got != "" {
		t.Errorf("a program's dump: test %q", got)
	}
}

func TestThePatternOfATestMatchesItAlone(t *testing.T) {
	for name, want := range map[string]string{
		"TestMove":               `'^TestMove$'`,
		"TestMove/a+b_(1)#01":    `'^TestMove$/^a\+b_\(1\)#01$'`,
		"TestMove/'; rm -rf /;'": `'^TestMove$/^'\''; rm -rf $/^;'\''$'`,
	} {
		if got := rules.TestPattern(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
