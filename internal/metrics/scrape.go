package metrics

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds on what one scrape may cost.
const (
	maxLine     = 64 << 10 // bytes; the longest of a kube-apiserver's 250,000 lines has 500
	maxSamples  = 4096     // that are kept: a controller-manager has 1,100 of these names
	maxLabels   = 16       // of a sample
	maxLabel    = 200      // bytes of a label's value
	maxFamilies = 16384    // names that are counted as different
)

// A Scrape is what one text of metrics holds. The zero value is empty.
type Scrape struct {
	Families int   // different names
	Samples  int64 // all of them
	Odd      int64 // lines that are no samples and no comments
	Cut      int64 // samples of kept names, or asked for, that were over the bound
	known    int   // of kept, those of the wanted names
	others   int
	kept     []Sample
	names    map[string]bool
	before   time.Time // stamps of samples: the newest
}

// A Sample is one line: a name, its labels and a value.
type Sample struct {
	Name   string
	Labels []Label // as written
	Value  float64
	Line   int64
}

// A Label is a name with its value.
type Label struct{ Name, Value string }

// Label is the value of a label, "" for none.
func (s *Sample) Label(name string) string {
	for _, l := range s.Labels {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

// Empty reports whether there was no sample.
func (s *Scrape) Empty() bool { return s == nil || s.Samples == 0 }

// Kept are all samples that were kept, in order. Callers leave the slice as it is.
func (s *Scrape) Kept() []Sample { return s.kept }

// Value is the first sample of that name, nil for none.
func (s *Scrape) Value(name string) *Sample {
	for i := range s.kept {
		if s.kept[i].Name == name {
			return &s.kept[i]
		}
	}
	return nil
}

// All are the samples of that name, in order.
func (s *Scrape) All(name string) []*Sample {
	var all []*Sample
	for i := range s.kept {
		if s.kept[i].Name == name {
			all = append(all, &s.kept[i])
		}
	}
	return all
}

// Time is the newest timestamp of a sample; zero where they have none, which is the rule.
func (s *Scrape) Time() time.Time { return s.before }

// Started is when the process started; zero where unknown.
func (s *Scrape) Started() time.Time {
	v := s.Value("process_start_time_seconds")
	if v == nil || v.Value < 1e9 || v.Value > 1e11 {
		return time.Time{}
	}
	sec, frac := math.Modf(v.Value)
	return time.Unix(int64(sec), int64(frac*1e9)).UTC()
}

// wanted are the names that are kept, sorted.
var wanted = []string{
	"controller_runtime_active_workers", "controller_runtime_max_concurrent_reconciles",
	"controller_runtime_reconcile_errors_total", "controller_runtime_reconcile_total",
	"go_gc_duration_seconds_count", "go_gc_duration_seconds_sum", "go_gc_gomemlimit_bytes", "go_goroutines", "go_info",
	"go_memstats_gc_cpu_fraction", "go_memstats_heap_inuse_bytes", "go_memstats_next_gc_bytes",
	"go_memstats_sys_bytes", "go_sched_gomaxprocs_threads", "go_threads", "process_cpu_seconds_total",
	"process_max_fds", "process_open_fds", "process_resident_memory_bytes", "process_start_time_seconds",
	"rest_client_rate_limiter_duration_seconds_count", "rest_client_rate_limiter_duration_seconds_sum",
	"rest_client_requests_total", "workqueue_adds_total", "workqueue_depth",
	"workqueue_longest_running_processor_seconds", "workqueue_retries_total",
	"workqueue_unfinished_work_seconds",
}

// Read reads a text of metrics; first is the number of its first line. What is no sample is counted. Samples of other
// names than those of a process are kept where keep, which may be nil, holds for them.
func Read(r io.Reader, first int64, keep func(*Sample) bool) (*Scrape, error) {
	s := &Scrape{names: map[string]bool{}}
	text := bufio.NewReaderSize(r, maxLine)
	for num := first; ; num++ {
		line, err := text.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = text.ReadSlice('\n')
		}
		if long {
			s.Odd++
		} else if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			s.line(line, num, keep)
		}
		switch {
		case errors.Is(err, io.EOF):
			s.names = nil
			return s, nil
		case err != nil:
			s.names = nil
			return s, fmt.Errorf("read metrics: %w", err)
		}
	}
}

// line takes a line that is no comment.
func (s *Scrape) line(line []byte, num int64, keep func(*Sample) bool) {
	name, labels, value, when, ok := cutSample(line)
	if !ok {
		s.Odd++
		return
	}
	s.Samples++
	if len(s.names) < maxFamilies && !s.names[string(name)] {
		s.names[string(name)] = true
		s.Families++
	}
	if !when.IsZero() && when.After(s.before) {
		s.before = when
	}
	_, known := slices.BinarySearchFunc(wanted, name, func(w string, n []byte) int {
		return strings.Compare(w, string(n))
	})
	if !known && keep == nil {
		return
	}
	sample := Sample{Name: string(name), Value: value, Line: num}
	if sample.Labels, ok = parseLabels(labels); !ok {
		s.Odd++
		return
	}
	if !known && !keep(&sample) {
		return
	}
	kept := &s.known
	if !known {
		kept = &s.others
	}
	if *kept == maxSamples {
		s.Cut++
		return
	}
	*kept++
	s.kept = append(s.kept, sample)
}

// cutSample takes `name{labels} value timestamp # exemplar` apart. Prometheus' timestamps are milliseconds,
// OpenMetrics' are seconds.
func cutSample(line []byte) (name, labels []byte, value float64, when time.Time, ok bool) {
	i := 0
	for i < len(line) && (line[i] == '_' || line[i] == ':' || 'a' <= line[i]|0x20 && line[i]|0x20 <= 'z' ||
		i > 0 && '0' <= line[i] && line[i] <= '9') {
		i++
	}
	name, line = line[:i], line[i:]
	if i == 0 || len(line) == 0 || line[0] != ' ' && line[0] != '{' && line[0] != '\t' {
		return nil, nil, 0, when, false
	}
	if line = bytes.TrimLeft(line, " \t"); len(line) > 0 && line[0] == '{' {
		end := labelsEnd(line)
		if end < 0 {
			return nil, nil, 0, when, false
		}
		labels, line = line[1:end], line[end+1:]
	}
	if at := bytes.Index(line, []byte(" # ")); at >= 0 { // an exemplar
		line = line[:at]
	}
	fields := bytes.Fields(line)
	if len(fields) == 0 || len(fields) > 2 {
		return nil, nil, 0, when, false
	}
	v, err := strconv.ParseFloat(string(fields[0]), 64)
	if err != nil {
		return nil, nil, 0, when, false
	}
	if len(fields) == 2 {
		at, err := strconv.ParseFloat(string(fields[1]), 64)
		if err != nil {
			return nil, nil, 0, when, false
		}
		if at > 1e11 { // milliseconds
			at /= 1000
		}
		if at > 1e9 && at < 1e11 {
			when = time.UnixMilli(int64(at * 1000)).UTC()
		}
	}
	return name, labels, v, when, true
}

// labelsEnd is the index of the brace that ends the labels, -1 for none. Values are quoted, with \", \\ and \n.
func labelsEnd(line []byte) int {
	quoted := false
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '}' && !quoted:
			return i
		}
	}
	return -1
}

// parseLabels reads `a="x",b="y"`.
func parseLabels(text []byte) ([]Label, bool) {
	var all []Label
	for text = bytes.TrimLeft(text, " ,"); len(text) > 0; text = bytes.TrimLeft(text, " ,") {
		name, rest, ok := bytes.Cut(text, []byte("="))
		rest = bytes.TrimLeft(rest, " ")
		if !ok || len(rest) == 0 || rest[0] != '"' || len(name) > maxLabel {
			return nil, false
		}
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return nil, false
		}
		value := rest[1:end]
		text = rest[end+1:]
		if len(all) < maxLabels {
			value = value[:min(len(value), maxLabel)]
			plain := string(value)
			if strings.Contains(plain, `\`) {
				plain = strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`).Replace(plain)
			}
			all = append(all, Label{string(bytes.TrimSpace(name)), plain})
		}
	}
	return all, true
}
