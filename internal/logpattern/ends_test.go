package logpattern

import (
	"strings"
	"testing"
)

// endsIn mines a log, each line from stream 0, and returns its ends.
func endsIn(lines ...string) []*End {
	m := NewMiner()
	for i, l := range lines {
		m.Line([]byte(l), int64(i+1), 0, nil)
	}
	return m.Close().Ends
}

func TestTheLastErrorOfALogIsItsEnd(t *testing.T) {
	for _, lines := range [][]string{
		{"2026/03/04 10:00:00 open /x: no such file or directory"},
		{"time=2026-03-04T10:00:00Z level=ERROR msg=start err=\"open /x: no such file or directory\""},
		{`{"level":"fatal","error":"open /x: no such file or directory","message":"start"}`},
		{`{"time":"2026-03-04T10:00:00Z","level":"ERROR","source":{"function":"main.main","file":"/src/main.go","line":7},"msg":"start","err":"open /x: no such file or directory"}`},
		{"F0304 10:00:00.000000       1 main.go:7] open /x: no such file or directory"},
		{`E0304 10:00:00.000000       1 run.go:74] "command failed" err="open /x: no such file or directory"`},
		{"2026-03-04T10:00:00.000Z [ERROR] agent: cannot start: error=\"open /x: no such file or directory\""},
		{"2026-03-04T10:00:00Z\tERROR\tsetup\tapp/main.go:7\tproblem running manager\t{\"error\": \"open /x: no such file or directory\"}", "main.main", "\t/src/app/main.go:7"},
		{"Error: open /x: no such file or directory", "Usage:", "  app [flags]", "", "Flags:", "      --x   a flag"},
		{"2 errors occurred:", "\t* open /x: no such file or directory", "\t* open /y: no such file or directory"},
	} {
		ends := endsIn(lines...)
		if len(ends) != 1 || !ends[0].Last || ends[0].Line != 1 || !strings.Contains(ends[0].Text, "open /x: no such file") {
			t.Errorf("%q: %+v", lines, ends)
		}
	}
}

func TestALogThatGoesOnHasNoEnd(t *testing.T) {
	for _, lines := range [][]string{
		{`{"level":"error","msg":"fetch","error":"EOF"}`, `{"level":"info","msg":"served"}`},
		{"2026/03/04 10:00:00 dial: connection refused", "2026/03/04 10:00:01 served"},
		{`{"level":"error","msg":"fetch","error":"EOF"}`, `{"level":"info","msg":"received signal, shutting down"}`},
		{"Copies queues; fails where one is away", "Usage:", "  tool [command]", "", "Flags:", "  --timeout   how long"},
		{"2026-03-04T10:00:00Z\tINFO\tsetup\tstarting manager"},
	} {
		if ends := endsIn(lines...); len(ends) > 0 {
			t.Errorf("%q ends with %+v", lines, ends[0])
		}
	}
}

func TestTheFirstLineSeparatesTheStartsOfALog(t *testing.T) {
	start, work, fail := "2026/03/04 10:00:00 starting app, version 2", "2026/03/04 10:00:00 loaded rules", "2026/03/04 10:00:01 open /x: permission denied"
	ends := endsIn(start, work, fail, start, work, fail, start, work, fail)
	if len(ends) != 1 || ends[0].Runs != 3 || ends[0].Starts != 3 || !ends[0].Sure || ends[0].Line != 9 {
		t.Errorf("%+v", ends)
	}
}

func TestALongLineKeepsItsEnd(t *testing.T) {
	long := "2026/03/04 10:00:00 failed: " + strings.Repeat("again and ", 4*maxEnd/10) + "over: no space left on device"
	if ends := endsIn(long); len(ends) != 1 || len(ends[0].Text) > maxEnd || !strings.HasSuffix(ends[0].Text, "no space left on device") {
		t.Errorf("%d ends", len(ends))
	}
}

func TestLastWordsAreFollowedWithoutAllocations(t *testing.T) {
	m := NewMiner()
	lines := [][]byte{[]byte(`{"level":"error","msg":"fetch","error":"EOF"}`), []byte(`{"level":"info","msg":"served"}`)}
	num := int64(0)
	feed := func() {
		for _, l := range lines {
			num++
			m.Line(l, num, 0, nil)
		}
	}
	feed()
	if n := testing.AllocsPerRun(100, feed); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
