package stackparse

import (
	"strings"
	"testing"
)

func TestADumpHasTheTestThatGoTestNamesBeforeIt(t *testing.T) {
	const stack = "\ngoroutine 7 [running]:\nshop.f()\n\t/src/shop.go:3 +0x1d\ncreated by shop.g in goroutine 1\n\t/src/shop.go:9 +0x1\n"
	const leak = "    a_test.go:9: found unexpected goroutines:\n        [Goroutine 8 in state select, with shop.f on top of the " +
		"stack:\n        shop.f()\n        \t/src/shop.go:3 +0x1d\n        created by shop.g in goroutine 7\n        \t/src/shop.go:9 +0x1\n        ]\n"
	const race = "==================\nWARNING: DATA RACE\nWrite at 0x00c000096188 by goroutine 9:\n  shop.f()\n      /src/shop.go:3 +0x56\n" +
		"==================\n"
	for _, tt := range []struct{ name, text, want string }{
		{"a panic behind its test's failure", "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b_c (0.00s)\npanic: x\n" +
			stack, "TestA/b_c"},
		{"a panic elsewhere, behind another test's log", "--- FAIL: TestA (0.00s)\n    a_test.go:3: wrong\npanic: x\n" +
			stack, ""},
		{"a panic elsewhere, of a test that runs",
			"=== RUN   TestA\n--- FAIL: TestA (0.00s)\n=== RUN   TestB\npanic: x\n" + stack, "TestB"},
		{"a test that went on", "=== RUN   TestA\n=== RUN   TestB\n=== CONT  TestA\npanic: x\n" + stack, "TestA"},
		{"a test that passed before", "=== RUN   TestA\n--- PASS: TestA (0.00s)\npanic: x\n" + stack, ""},
		{"a test of another package", "=== RUN   TestA\nFAIL\tshop\t0.1s\npanic: x\n" + stack, ""},
		{"a leak in a test's log", "--- FAIL: TestA (0.44s)\n" + leak, "TestA"},
		{"a leak of all tests", "PASS\ngoleak: Errors on successful test run: found unexpected goroutines:\n" +
			strings.TrimSpace(leak), ""},
		{"a race", "=== RUN   TestA\n" + race, "TestA"},
		{"a program's log", "=== RUN \n--- FAIL:\npanic: x\n" + stack, ""},
	} {
		dumps := parse([]byte(tt.text))
		if len(dumps) != 1 || dumps[0].Test != tt.want {
			t.Errorf("%s: %d dumps, test %q, want %q", tt.name, len(dumps), dumps[0].Test, tt.want)
		}
	}
}

func TestARaceBehindAnotherTestBinarysPanicIsRead(t *testing.T) {
	dumps := parse([]byte("panic: x\n\ngoroutine 7 [running]:\nshop.f()\n\t/src/shop.go:3 +0x1d\nFAIL\tshop\t0.1s\n" +
		"==================\nWARNING: DATA RACE\nWrite at 0x00c000096188 by goroutine 9:\n  shop.f()\n      /src/shop.go:3 +0x56\n" +
		"==================\n"))
	if len(dumps) != 2 || dumps[1].Format != FormatRace {
		t.Errorf("%d dumps", len(dumps))
	}
}
