package well

import (
	"bytes"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/busy/kit"
)

// rowImport reads rows into tables, a file after the other.
func rowImport() {
	kit.Start()
	var file strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&file, "%d;customer %d;%d.%02d\n", i, i%900, i%700, i%100)
	}
	for n := 0; ; n++ {
		sums := map[string]float64{}
		for line := range strings.Lines(file.String()) {
			parts := strings.Split(strings.TrimSpace(line), ";")
			v, err := strconv.ParseFloat(parts[2], 64)
			if err == nil {
				sums[parts[1]] += v
			}
		}
	}
}

// An Index has the documents of each term.
type Index struct {
	terms map[string][]int32
	docs  int
}

// add indexes a document.
func (x *Index) add(text []byte) {
	x.docs++
	for _, w := range bytes.Fields(text) {
		list := x.terms[string(w)]
		if len(list) > 0 && list[len(list)-1] == int32(x.docs) {
			continue
		}
		x.terms[string(w)] = append(list, int32(x.docs))
	}
}

func termIndex() {
	kit.Start()
	go func() {
		for { // a segment after the other
			x := &Index{terms: map[string][]int32{}}
			for i := range 3000 {
				x.add(kit.Words(50 + i%100))
			}
		}
	}()
	kit.Wait()
}

// nightReport builds a report in memory, writes it and begins the next one.
func nightReport() {
	kit.Start()
	go func() {
		for n := 0; ; n++ {
			lines := collect(n)
			size := 0
			for _, l := range lines {
				size += len(l)
			}
			log.Printf("report %d has %d bytes", n, size)
			time.Sleep(200 * time.Millisecond)
		}
	}()
	kit.Wait()
}

// collect makes the lines of one report.
func collect(n int) (lines []string) {
	for i := range 200_000 {
		lines = append(lines, fmt.Sprintf("%d customer %d has %d orders of %d", n, i, i%17, i%971))
	}
	return lines
}

// distance is how many changes turn one text into another.
func distance(a, b []byte) int {
	row := make([]int, len(b)+1)
	for i := range row {
		row[i] = i
	}
	for i := range a {
		last := row[0]
		row[0] = i + 1
		for k := range b {
			above := row[k+1]
			cost := last
			if a[i] != b[k] {
				cost = min(last, above, row[k]) + 1
			}
			row[k+1], last = cost, above
		}
	}
	return row[len(b)]
}

func textDiff() {
	kit.Start()
	a, b := kit.Words(700), bytes.ReplaceAll(kit.Words(700), []byte("rate"), []byte("price"))
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, distance(a, b))
	}), "/diff", 3, 0, 0)
	kit.Wait()
}
