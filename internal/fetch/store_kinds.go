package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// victoriaLogs is asked as https://docs.victoriametrics.com/victorialogs/querying describes.
type victoriaLogs struct{ *storeRun }

func (v victoriaLogs) entries(ctx context.Context) (n int64, err error) {
	q := span(url.Values{"query": {v.o.Query}, "step": {"100y"}}, v.o.From, v.o.To)
	text, err := v.ask(ctx, "select/logsql/hits", q)
	if err != nil {
		return 0, err
	}
	var answer struct {
		Hits []struct{ Total int64 }
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Hits == nil {
		return 0, errAnswer
	}
	for _, h := range answer.Hits {
		n += h.Total
	}
	return n, nil
}

// streamID is what VictoriaLogs calls a stream.
var streamID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{16,128}$`) })

func (v victoriaLogs) find(ctx context.Context, found func(string, time.Time) error) error {
	query := fmt.Sprintf("(%s) _msg:~%q | stats by (_stream_id, _time:%s) count() n | limit %d", v.o.Query, aTraceback,
		windowStep, maxWindows+1)
	text, err := v.ask(ctx, "select/logsql/query", span(url.Values{"query": {query}}, v.o.From, v.o.To))
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		var row struct {
			Stream string    `json:"_stream_id"`
			Time   time.Time `json:"_time"`
		}
		if json.Unmarshal(line, &row) != nil || !streamID().MatchString(row.Stream) || row.Time.IsZero() {
			return errAnswer
		}
		if err := found(row.Stream, row.Time); err != nil {
			return err
		}
	}
	return nil
}

func (v victoriaLogs) pull(ctx context.Context, w window, to *sink) error {
	q := span(url.Values{"query": {"_stream_id:" + w.stream + " | sort by (_time)"}}, w.from, w.to)
	return v.src.get(ctx, item{page: "select/logsql/query", query: q.Encode()}, v.o.Limits.Header, to)
}

// loki is asked as https://grafana.com/docs/loki/latest/reference/loki-http-api describes. A stream is its selector.
type loki struct{ *storeRun }

func (l loki) entries(ctx context.Context) (int64, error) {
	q := span(url.Values{"query": {l.o.Query}}, l.o.From, l.o.To)
	text, err := l.ask(ctx, "loki/api/v1/index/stats", q)
	if err != nil {
		return 0, err
	}
	var answer struct{ Entries *int64 }
	if err := json.Unmarshal(text, &answer); err != nil || answer.Entries == nil {
		return 0, errAnswer
	}
	return *answer.Entries, nil
}

func (l loki) find(ctx context.Context, found func(string, time.Time) error) error {
	query := l.o.Query + " |~ " + strconv.Quote(aTraceback)
	all := window{from: l.o.From, to: l.o.To}
	return l.each(ctx, query, all, func(labels map[string]string, at time.Time, _ string) error {
		selector, err := selectorOf(labels)
		if err == nil {
			err = found(selector, at)
		}
		return err
	})
}

func (l loki) pull(ctx context.Context, w window, to *sink) error {
	enc := json.NewEncoder(to)
	enc.SetEscapeHTML(false)
	return l.each(ctx, w.stream, w, func(labels map[string]string, at time.Time, line string) error {
		record := maps.Clone(labels)
		record["_time"], record["_msg"] = at.UTC().Format(time.RFC3339Nano), line
		return enc.Encode(record)
	})
}

// labelName matches the name of a label of Prometheus.
var labelName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`) })

func selectorOf(labels map[string]string) (string, error) {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		if !labelName().MatchString(name) {
			return "", errAnswer
		}
		parts = append(parts, name+"="+strconv.Quote(labels[name]))
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}

// lokiPage is how many lines Loki answers at a time by default (max_entries_limit_per_query).
const lokiPage = 5000

// A lokiStream is one stream of a page: its labels, and [nanoseconds, line] in order of time.
type lokiStream struct {
	Stream map[string]string
	Values [][]json.RawMessage
}

// A lineFunc gets a line with the labels of its stream.
type lineFunc func(labels map[string]string, at time.Time, line string) error

// each calls yield with every line that a query selects in a span of time, page by page. The next page begins at the
// last time of the one before, whose lines of that time are left out.
func (l loki) each(ctx context.Context, query string, w window, yield lineFunc) error {
	p := lokiPages{limit: lokiPage, last: w.from, at: map[string]int{}}
	for {
		q := url.Values{"query": {query}, "direction": {"forward"}, "limit": {strconv.Itoa(p.limit)}}
		text, err := l.ask(ctx, "loki/api/v1/query_range", span(q, p.last, w.to))
		if errors.Is(err, errTooLarge) && p.limit > lokiPage/100 { // long lines
			p.limit /= 10
			continue
		}
		if err != nil {
			return err
		}
		var answer struct{ Data struct{ Result []lokiStream } }
		if err := json.Unmarshal(text, &answer); err != nil || answer.Data.Result == nil {
			return errAnswer
		}
		lines, err := p.read(answer.Data.Result, yield)
		if err != nil || lines < p.limit {
			return err
		}
	}
}

// lokiPages is how far pages of limit lines were read: to the lines of the last time, of which so many by selector.
type lokiPages struct {
	limit int
	last  time.Time
	at    map[string]int
}

// read reads a page, which begins at the last time, and returns how many lines it has.
func (p *lokiPages) read(page []lokiStream, yield lineFunc) (lines int, err error) {
	start, seen := p.last, p.at
	p.at = map[string]int{}
	for _, s := range page {
		selector, err := selectorOf(s.Stream)
		if err != nil {
			return 0, err
		}
		skip := seen[selector]
		for _, value := range s.Values {
			lines++
			t, line, err := lokiLine(value)
			if err == nil && t.Before(start) {
				err = errAnswer // pages would have no end
			}
			if err == nil && t.Equal(start) && skip > 0 {
				skip--
			} else if err == nil {
				err = yield(s.Stream, t, line)
			}
			if err != nil {
				return 0, err
			}
			if t.After(p.last) {
				p.last, p.at = t, map[string]int{}
			}
			if t.Equal(p.last) {
				p.at[selector]++
			}
		}
	}
	if lines >= p.limit && !p.last.After(start) { // more lines at one time than a page has
		p.last, p.at = start.Add(time.Nanosecond), map[string]int{}
	}
	return lines, nil
}

func lokiLine(value []json.RawMessage) (t time.Time, line string, err error) {
	if len(value) < 2 {
		return t, "", errAnswer
	}
	var stamp string
	if json.Unmarshal(value[0], &stamp) != nil || json.Unmarshal(value[1], &line) != nil {
		return t, "", errAnswer
	}
	n, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return t, "", errAnswer
	}
	return time.Unix(0, n), line, nil
}
