package accuracy

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// floorsFile holds for each half of a population what must not get worse: how many inputs at least are right in what is
// held by a floor, and at most in how many something else is accused or alarms are raised.
const floorsFile = testdata + "/accuracy-floors.tsv"

// A floorKey is a figure of one half of a population.
type floorKey struct{ population, half, figure string }

// readFloors reads the file; there may be none yet.
func readFloors(t *testing.T) map[floorKey]int {
	t.Helper()
	floors := map[floorKey]int{}
	data, err := os.ReadFile(floorsFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		n, err := strconv.Atoi(cells[len(cells)-1])
		if len(cells) != 4 || err != nil {
			continue // the header
		}
		floors[floorKey{cells[0], cells[1], cells[2]}] = n
	}
	return floors
}

// undercut are the figures that are worse than their floors, and those with a floor that are not measured any more.
func undercut(rows []*row, floors map[floorKey]int) (worse []string) {
	eachHeld(rows, func(key floorKey, f *figure, r *row) {
		floor, ok := floors[key]
		n, all := f.of(r)
		if ok && r.measured() && (all == 0 || f.held*n < f.held*floor) {
			worse = append(worse, fmt.Sprintf("%s, %s: %s is %d, the floor is %d", key.population, key.half, key.figure, n, floor))
		}
	})
	return worse
}

// raised are the floors with all figures that are better than theirs.
func raised(rows []*row, floors map[floorKey]int) string {
	var b strings.Builder
	b.WriteString("population\thalf\tfigure\tfloor\n")
	eachHeld(rows, func(key floorKey, f *figure, r *row) {
		floor, ok := floors[key]
		n, all := f.of(r)
		switch {
		case all > 0 && (!ok || f.held*n > f.held*floor):
			floor = n
		case !ok:
			return
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%d\n", key.population, key.half, key.figure, floor)
	})
	return b.String()
}

// eachHeld calls do for each figure of the rows that a floor may hold.
func eachHeld(rows []*row, do func(key floorKey, f *figure, r *row)) {
	for _, r := range rows {
		for i := range figures {
			if f := &figures[i]; f.held != 0 {
				do(floorKey{r.population, r.half, f.name}, f, r)
			}
		}
	}
}
