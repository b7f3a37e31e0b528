package ingest

import "testing"

func TestPrintedFilesOfControlGroupsNeedNoFolder(t *testing.T) {
	for text, want := range map[string]bool{
		"cpu.stat:usage_usec 3000000000\ncpu.stat:user_usec 1\n":                         true,
		"==> cpu.stat <==\nusage_usec 3000000000\n":                                      true,
		"==> cpu.max <==\n50000 100000\n":                                                true,
		"==> /proc/pressure/cpu <==\nsome avg10=1.78 avg60=12.67 avg300=22.13 total=2\n": true,
		"/proc/pressure/io:some avg10=1.78 avg60=12.67 avg300=22.13 total=2\n":           true,
		"cpu.go:12: usage_usec is late\n":                                                false,
		"memory.go:some text of a log\n":                                                 false,
		"==> app.log <==\n2026/11/20 18:05:32 pressure\n":                                false,
		"cpu.stat:2026/11/20 18:05:32 starting\n":                                        false,
	} {
		if got := isCgroup([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
