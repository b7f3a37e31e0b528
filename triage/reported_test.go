package triage_test

import "testing"

const reportedList = "../testdata/gen/services/reported.tsv"

// reportedForms are the forms that show least: none of these processes had collected garbage.
var reportedForms = []serviceForm{
	{"debug2", []string{"debug2.txt"}},
	{"debug1", []string{"debug1.txt"}},
	{"goroutine", []string{"goroutine.pb"}},
	{"signal", []string{"signal.txt"}},
}

// leastReported are how many inputs of each half have the cause first, which a change may not lower.
var leastReported = map[string]int{
	"first": 190, "second": 36, "first" + withSource: 194, "second" + withSource: 48,
}

// TestReported replays the captures of programs with bugs of kinds that trackers of real modules have, each with its
// bug and without it. Nothing above low may be reported about one without. The second half is closed.
func TestReported(t *testing.T) {
	if raceDetector {
		t.Skip("the captures are replayed once, without the race detector")
	}
	var all []service
	for _, cells := range readLabels(t, reportedList, 7) {
		bug := serviceOf(cells, cells[5])
		twin := service{name: bug.name + "-fixed", half: bug.half, why: cells[6]}
		all = append(all, bug, twin)
	}
	replayHalves(t, all, "reported-", reportedForms, leastReported, []string{"second"})
}
