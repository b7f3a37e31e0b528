package steptest

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// A LogLine is a line of a log with its time.
type LogLine struct {
	At   time.Time
	Text string
}

// Logs writes the logs of a fixture in rules/testdata/logs, by name; package rules/internal/fixtures describes the
// form. Parts of one name are one log, in order of time.
func Logs(files []txtar.File) (names []string, logs map[string][]LogLine, err error) {
	logs = map[string][]LogLine{}
	for _, f := range files {
		if f.Name == "want" {
			continue
		}
		lines, err := logLines(f)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		name, _, _ := strings.Cut(f.Name, " ")
		if _, ok := logs[name]; !ok {
			names = append(names, name)
		}
		logs[name] = append(logs[name], lines...)
	}
	for _, lines := range logs {
		slices.SortStableFunc(lines, func(a, b LogLine) int { return a.At.Compare(b.At) })
	}
	return names, logs, nil
}

// logLines writes the lines of one part of a log.
func logLines(f txtar.File) ([]LogLine, error) {
	at, gap, jitter, rounds, grow := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC), time.Second, 0, 1, 1.0
	for _, word := range strings.Fields(f.Name)[1:] {
		var err error
		switch {
		case strings.HasPrefix(word, "+"):
			gap, err = time.ParseDuration(word[1:])
		case strings.HasPrefix(word, "~"):
			jitter, err = strconv.Atoi(word[1:])
		case strings.HasPrefix(word, "*"):
			grow, err = strconv.ParseFloat(word[1:], 64)
		case strings.HasPrefix(word, "×"):
			rounds, err = strconv.Atoi(strings.TrimPrefix(word, "×"))
		default:
			at, err = time.Parse(time.RFC3339, word)
		}
		if err != nil {
			return nil, err
		}
	}
	rng := rand.New(rand.NewPCG(7, 11))
	var all []LogLine
	for i := range rounds {
		now := at
		for line := range strings.Lines(string(f.Data)) {
			all = append(all, LogLine{now, fillLine(strings.TrimRight(line, "\n"), i, now, rng)})
			now = now.Add(3 * time.Millisecond)
		}
		next := gap
		if jitter > 0 {
			next += time.Duration(float64(gap) * float64(jitter) / 100 * (2*rng.Float64() - 1))
		}
		at = at.Add(next)
		gap = time.Duration(float64(gap) * grow)
	}
	return all, nil
}

var everyRounds = regexp.MustCompile(`\{i/(\d+)\}`)

func fillLine(line string, i int, at time.Time, rng *rand.Rand) string {
	if strings.Contains(line, "{i/") {
		line = everyRounds.ReplaceAllStringFunc(line, func(s string) string {
			n, _ := strconv.Atoi(everyRounds.FindStringSubmatch(s)[1])
			return strconv.Itoa(i / n)
		})
	}
	return strings.NewReplacer(
		"{i}", strconv.Itoa(i), "{id}", fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", rng.Uint32(), rng.IntN(1<<16),
			rng.IntN(1<<12), rng.IntN(1<<12), rng.Uint64N(1<<48)),
		"{ms}", fmt.Sprintf("%d.%03dms", 1+rng.IntN(400), rng.IntN(1000)), "{s}", fmt.Sprintf("%d.%03ds", 1+rng.IntN(9),
			rng.IntN(1000)),
		"{klog}", at.Format("0102 15:04:05.000000"), "{time}", at.Format(time.RFC3339),
	).Replace(line)
}
