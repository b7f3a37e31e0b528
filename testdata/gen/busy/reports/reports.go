// Package reports computes figures over orders.
package reports

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode"

	"example.com/busy/kit"
)

// Programs are the services of this package.
var Programs = map[string]func(){
	"pair-scores": pairScores, "word-digest": wordDigest, "line-fields": lineFields, "month-rows": monthRows,
	"text-clean": textClean, "chart-bounds": chartBounds,
}

type row struct {
	customer string
	sum      int
	month    int
}

func rows(n int) []row {
	var all []row
	for i := range n {
		all = append(all, row{fmt.Sprintf("customer-%05d", i*7919%n), i % 1000, i % 12})
	}
	return all
}

// scores compares each customer with each other one.
func scores(all []row) int {
	n := 0
	for i := range all {
		for k := range all {
			if strings.EqualFold(all[i].customer, all[k].customer) && all[i].month <= all[k].month {
				n++
			}
		}
	}
	return n
}

func pairScores() {
	kit.Start()
	all := rows(1200)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, scores(all))
	}), "/scores", 3, 5*time.Millisecond, 0)
	kit.Wait()
}

// digest is the sum of all words of a text so far, after each word.
func digest(words [][]byte) (last [32]byte) {
	var text []byte
	for _, w := range words {
		text = append(text, w...)
		last = sha256.Sum256(text)
	}
	return last
}

func wordDigest() {
	kit.Start()
	words := bytes.Fields(kit.Words(1500))
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		sum := digest(words)
		w.Write(sum[:])
	}), "/digest", 3, 5*time.Millisecond, 0)
	kit.Wait()
}

// fields reads a body's lines, and of each the fields.
func fields(body io.Reader) (n int) {
	data, _ := io.ReadAll(body)
	for len(data) > 0 {
		line := data
		if at := bytes.IndexByte(data, ' '); at >= 0 {
			line = data[:at]
			data = append([]byte(nil), data[at+1:]...)
		} else {
			data = nil
		}
		n += len(bytes.Fields(line))
	}
	return n
}

func lineFields() {
	kit.Start()
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, fields(r.Body))
	}), "/fields", 3, 5*time.Millisecond, 60000)
	kit.Wait()
}

// monthly filters the rows of each month out of all.
func monthly(all []row) (sums [12]int) {
	for _, r := range all {
		var month []row
		for _, o := range all {
			if o.month == r.month {
				month = append(month, o)
			}
		}
		sums[r.month] = len(month)
	}
	return sums
}

func monthRows() {
	kit.Start()
	all := rows(1500)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, monthly(all))
	}), "/monthly", 3, 5*time.Millisecond, 0)
	kit.Wait()
}

// clean drops what is no letter, one rune after the other.
func clean(text []rune) []rune {
	for i := 0; i < len(text); i++ {
		if !unicode.IsLetter(text[i]) {
			text = append(text[:i], text[i+1:]...)
			i--
		}
	}
	return text
}

func textClean() {
	kit.Start()
	text := string(kit.Words(8000))
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, len(clean([]rune(text))))
	}), "/clean", 3, 5*time.Millisecond, 0)
	kit.Wait()
}

// bounds reads a file of points and returns the largest.
func bounds(file string) (most int) {
	f, err := os.Open(file)
	if err != nil {
		return 0
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var x, y int
		fmt.Sscanf(lines.Text(), "%d %d", &x, &y)
		most = max(most, x, y)
	}
	return most
}

func chartBounds() {
	kit.Start()
	f, _ := os.CreateTemp("", "points")
	for i := range 1500 {
		fmt.Fprintf(f, "%d %d\n", i, i*i%977)
	}
	f.Close()
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, bounds(f.Name()))
	}), "/chart", 3, 5*time.Millisecond, 0)
	kit.Wait()
}
