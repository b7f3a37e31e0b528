package triage_test

import "testing"

const everydayList = "../testdata/gen/services/everyday.tsv"

// everydayForms are what a program shows when the runtime has collected garbage by itself: listings have minutes.
var everydayForms = []serviceForm{
	{"debug2", []string{"debug2.txt"}},
	{"two", []string{"debug2.txt", "debug2-later.txt"}},
	{"debug1", []string{"debug1.txt"}},
	{"goroutine", []string{"goroutine.pb"}},
	{"signal", []string{"signal.txt"}},
}

// leastEveryday are how many inputs of each half have the cause first, which a change may not lower.
var leastEveryday = map[string]int{
	"first": 44, "second": 22, "first" + withSource: 50, "second" + withSource: 28,
}

// TestEveryday replays the captures of programs that use well-known libraries as ordinary services do, with a bug or
// without one. Nothing above low may be reported about one without. Both halves are
// for development: the second was measured, and opened for its alarms.
func TestEveryday(t *testing.T) {
	if raceDetector {
		t.Skip("the captures are replayed once, without the race detector")
	}
	var all []service
	for _, cells := range readLabels(t, everydayList, 5) {
		s := serviceOf(cells, cells[4])
		s.strict = true
		all = append(all, s)
	}
	replayHalves(t, all, "everyday-", everydayForms, leastEveryday, nil)
}
