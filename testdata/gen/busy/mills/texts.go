package mills

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/busy/kit"
)

// A Shipper takes log lines apart by the expressions of its configuration and counts what they match.
type Shipper struct {
	access  *regexp.Regexp
	others  []*regexp.Regexp
	matched map[string]int
}

func grokShip() {
	s := &Shipper{matched: map[string]int{}, access: regexp.MustCompile(
		`(?P<client>\S+) \S+ (?P<user>\S+) \[(?P<time>[^\]]+)\] "(?P<method>\w+) (?P<path>\S+)[^"]*" (?P<status>\d+)`)}
	for _, e := range []string{`(?i)(error|warn|fatal)`, `(\d+) ms$`, `(order|invoice|customer)=(\d+)`} {
		s.others = append(s.others, regexp.MustCompile(e))
	}
	lines := logLines(20000)
	batch(func() { s.ship(lines) })
}

func (s *Shipper) ship(lines []string) {
	for _, l := range lines {
		if f := s.access.FindStringSubmatch(l); f != nil {
			s.matched[f[4]]++
		}
		for _, e := range s.others {
			if e.MatchString(l) {
				s.matched["other"]++
			}
		}
	}
}

// wordCount counts the words of files.
func wordCount() {
	lines := logLines(50000)
	batch(func() { countWords(lines) })
}

func countWords(lines []string) map[string]int {
	n := map[string]int{}
	for _, l := range lines {
		for w := range strings.FieldsSeq(l) {
			n[w]++
		}
	}
	return n
}

// An Offer is what a price index holds.
type Offer struct {
	shop  int
	price float64
}

// priceIndex builds an index of all offers from each delivery.
func priceIndex() {
	var articles []int
	for i := range 400000 {
		articles = append(articles, i*7919%300007)
	}
	batch(func() { buildIndex(articles) })
}

func buildIndex(articles []int) map[int][]Offer {
	index := map[int][]Offer{}
	for i, a := range articles {
		index[a] = append(index[a], Offer{i % 90, float64(i)})
	}
	return index
}

// mergeSort sorts a file's lines by two of their columns.
func mergeSort() {
	lines := logLines(100000)
	batch(func() { sortLines(slices.Clone(lines)) })
}

func sortLines(lines []string) {
	slices.SortFunc(lines, func(a, b string) int {
		return cmp.Or(strings.Compare(column(a, '"'), column(b, '"')), strings.Compare(a, b))
	})
}

func column(l string, sep byte) string { return l[strings.IndexByte(l, sep):] }

// grepText looks for words in large files.
func grepText() {
	text := []byte(strings.Join(logLines(200000), "\n"))
	batch(func() { grep(text, []byte("nobody"), []byte("user99 ")) })
}

func grep(text []byte, words ...[]byte) (n int) {
	for line := range bytes.Lines(text) {
		for _, w := range words {
			if bytes.Contains(line, w) {
				n++
			}
		}
	}
	return n
}

// reportWriter writes a report of rows.
func reportWriter() { batch(func() { writeReport(io.Discard, 50000) }) }

func writeReport(w io.Writer, rows int) {
	for i := range rows {
		fmt.Fprintf(w, "%-20s %8.2f %6d %s\n", "article", float64(i)*1.07, i, "in stock")
	}
}

// timeParse sorts the lines of many servers into one order by their times.
func timeParse() {
	lines := logLines(20000)
	batch(func() { mergeTimes(lines) })
}

func mergeTimes(lines []string) (last time.Time) {
	for _, l := range lines {
		i := strings.IndexByte(l, '[')
		if t, err := time.Parse("02/Jan/2006:15:04:05 -0700", l[i+1:i+27]); err == nil && t.After(last) {
			last = t
		}
	}
	return last
}

// textCodec decodes texts of an old system: each character has a byte, and pieces of text are looked at as bytes.
func textCodec() {
	pages := [][]byte{kit.Words(4000), kit.Words(9000), kit.Words(700)}
	batch(func() {
		for _, p := range pages {
			decodePage(p)
		}
	})
}

func decodePage(p []byte) int {
	var runes []rune
	for _, b := range p {
		runes = append(runes, rune(b)+rune(b>>7)*0x340)
	}
	return len(string(runes)) + len([]byte(string(p)))
}

// codeGen writes the source of clients for a long interface description.
func codeGen() { batch(func() { generate(3000) }) }

func generate(methods int) string {
	var out strings.Builder
	for i := range methods {
		name := "Get" + title(i) + "By" + title(i/7) + "Name"
		out.WriteString("func (c *Client) " + name + "(ctx context.Context, in *" + name + "Request) (*" + name +
			"Reply, error) {\n")
		out.WriteString("\treturn call[" + name + "Request, " + name + "Reply](ctx, c, \"" + name + "\", in)\n}\n\n")
	}
	return out.String()
}

func title(i int) string {
	words := [...]string{"Order", "Invoice", "Customer", "Carrier", "Total", "Warehouse", "Rate"}
	return words[i%7] + words[i/3%7]
}

// logMaker writes logs to test a log store with.
func logMaker() {
	logger := slog.New(slog.NewJSONHandler(io.Discard, nil))
	batch(func() { makeLogs(logger, 20000) })
}

func makeLogs(l *slog.Logger, n int) {
	for i := range n {
		l.Info("request served", "path", "/orders", "status", 200+i%3, "took", i%900, "user", i%77)
	}
}
