// Command access-digest sums up access logs: each line is matched by an expression that was compiled once, and hours are
// written as JSON.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"regexp"
	"strconv"

	"wild/kit"
)

var line = regexp.MustCompile(`^(\S+) \S+ \S+ \[([^\]]+)\] "(GET|POST) (\S+) [^"]*" (\d{3}) (\d+)$`)

type hour struct {
	Hits   map[string]int `json:"hits"`
	Bytes  int            `json:"bytes"`
	Status map[string]int `json:"status"`
}

// digest reads one hour of a log.
func digest(data []byte) (hour, error) {
	h := hour{Hits: map[string]int{}, Status: map[string]int{}}
	for _, l := range bytes.Split(data, []byte("\n")) {
		m := line.FindSubmatch(l)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(string(m[6]))
		if err != nil {
			return h, err
		}
		h.Hits[string(m[4])]++
		h.Status[string(m[5])]++
		h.Bytes += n
	}
	return h, nil
}

// sample makes a log of an hour.
func sample(seed int) []byte {
	var b bytes.Buffer
	for i := 0; i < 20_000; i++ {
		fmt.Fprintf(&b, "10.0.%d.%d - - [22/Nov/2026:10:%02d:00 +0000] \"GET /item/%d HTTP/1.1\" %d %d\n",
			i%256, seed%256, i%60, (i*seed)%300, 200+i%5, 100+i%9000)
	}
	return b.Bytes()
}

func main() {
	kit.Serve()
	logs := [][]byte{sample(3), sample(5), sample(7)}
	for n := 0; ; n++ {
		h, err := digest(logs[n%len(logs)])
		if err != nil {
			log.Fatal(err)
		}
		if err := json.NewEncoder(io.Discard).Encode(h); err != nil {
			log.Fatal(err)
		}
	}
}
