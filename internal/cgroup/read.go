package cgroup

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// Bounds on one file.
const (
	maxLine   = 4 << 10
	maxGroups = 4096 // of one file: a node has some 500
)

// base is what the name of a file means: the part of bundles' names behind the last separator that ends like one.
func base(name string) string {
	b := strings.TrimSuffix(path.Base(name), ".txt")
	for _, known := range files {
		if b == known || strings.HasSuffix(b, "-"+known) || strings.HasSuffix(b, "_"+known) {
			return known
		}
	}
	if path.Base(path.Dir(name)) == "pressure" && (b == "cpu" || b == "memory" || b == "io") {
		return b + ".pressure"
	}
	return ""
}

// files are the names of the files that are read.
var files = []string{
	"cpu.stat", "cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us", "cpuacct.usage", "memory.current", "memory.max",
	"memory.peak", "memory.events", "memory.events.local", "memory.stat", "memory.usage_in_bytes",
	"memory.limit_in_bytes", "memory.max_usage_in_bytes", "memory.failcnt", "memory.oom_control", "cpu.pressure",
	"memory.pressure", "io.pressure",
}

// pair takes "key 123" apart.
func pair(line []byte) (key string, n float64, ok bool) {
	k, v, ok := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
	if !ok || len(k) > 64 {
		return "", 0, false
	}
	n, err := strconv.ParseFloat(string(bytes.TrimSpace(v)), 64)
	return string(k), n, err == nil
}

// cutName takes the name of a file off a line: "FILE:text" of grep, "==> FILE <==" of tail and head.
func cutName(line []byte) (name string, text []byte, ok bool) {
	if rest, ok := bytes.CutPrefix(line, []byte("==> ")); ok {
		inner, found := bytes.CutSuffix(rest, []byte(" <=="))
		return string(inner), nil, found
	}
	i := bytes.IndexByte(line, ':')
	if i <= 0 || i > 1<<10 {
		return "", nil, false
	}
	return string(line[:i]), line[i+1:], base(string(line[:i])) != ""
}

// Read reads a file of a control group, or of many that were printed one behind the other with their names; name is its
// path, first the number of its first line.
func Read(name string, r io.Reader, first int64) ([]*Group, error) {
	x := &reader{input: name, file: base(name), groups: map[string]*Group{}}
	x.begin(name)
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	num := first
	for ; lines.Scan(); num++ {
		line := bytes.TrimSpace(lines.Bytes())
		if inner, text, ok := cutName(line); ok {
			if inner != x.inner {
				x.inner, x.file = inner, base(inner)
				x.begin(name + "!" + inner)
			}
			line = text
		}
		if x.group != nil {
			x.line(line, num)
		}
	}
	if err := lines.Err(); err != nil {
		return x.list, fmt.Errorf("read the control group of %s: %w", name, err)
	}
	return x.list, nil
}

// A reader reads one source.
type reader struct {
	input, inner string
	file         string // what the lines are of, "" where only the lines show it
	group        *Group
	groups       map[string]*Group
	list         []*Group
}

// begin makes the group of a file the one that the lines are of.
func (x *reader) begin(file string) {
	g := newGroup(file)
	if x.group = x.groups[g.Name]; x.group == nil && len(x.list) < maxGroups {
		g.Input = x.input
		x.group, x.groups[g.Name] = g, g
		x.list = append(x.list, g)
	}
}

// pressures are the keys of a file of pressure: of some tasks that wait, and of all.
var pressures = map[string][2]Key{
	"cpu.pressure": {PressureCPU, ""}, "memory.pressure": {PressureMem, FullMem}, "io.pressure": {PressureIO, FullIO},
}

// numbers are the keys of files that hold one number, with what makes them microseconds or bytes.
var numbers = map[string]struct {
	key   Key
	scale float64
}{
	"memory.current": {Memory, 1}, "memory.usage_in_bytes": {Memory, 1}, "memory.max": {MemoryMax, 1},
	"memory.limit_in_bytes": {MemoryMax, 1},
	"memory.peak":           {MemoryPeak, 1}, "memory.max_usage_in_bytes": {MemoryPeak, 1},
	"memory.failcnt": {LimitHits, 1}, "cpu.cfs_quota_us": {QuotaUS, 1}, "cpu.cfs_period_us": {PeriodUS, 1},
	"cpuacct.usage": {UsageUS, 1e-3},
}

// pairsOf are the keys of lines "key number", by their file; "" is for cpu.stat, whose content shows what it is.
var pairsOf = map[string]map[string]struct {
	key   Key
	scale float64
}{
	"": {"nr_periods": {Periods, 1}, "nr_throttled": {Throttled, 1}, "throttled_usec": {ThrottledUS, 1},
		"throttled_time": {ThrottledUS, 1e-3}, "usage_usec": {UsageUS, 1}},
	"memory.events":      {"oom_kill": {OOMKills, 1}, "max": {LimitHits, 1}},
	"memory.oom_control": {"oom_kill": {OOMKills, 1}},
	"memory.stat":        {"anon": {Anon, 1}, "rss": {Anon, 1}},
}

func (x *reader) line(line []byte, num int64) {
	at := func(n float64) Value { return Value{N: n, Input: x.input, Line: num} }
	file := strings.TrimSuffix(x.file, ".local")
	if file == "cpu.stat" || file == "" {
		file = ""
		if x.file == "" && bytes.HasPrefix(line, []byte("low ")) {
			x.file = "memory.events"
		}
	}
	if keys, ok := pressures[x.file]; ok {
		x.pressure(keys, line, at)
		return
	}
	if number, ok := numbers[x.file]; ok {
		if n, err := strconv.ParseFloat(string(line), 64); err == nil {
			x.group.set(number.key, at(n*number.scale))
		}
		return
	}
	if x.file == "cpu.max" {
		quota, period, _ := bytes.Cut(line, []byte(" "))
		if n, err := strconv.ParseFloat(string(period), 64); err == nil {
			x.group.set(PeriodUS, at(n))
		}
		if n, err := strconv.ParseFloat(string(quota), 64); err == nil {
			x.group.set(QuotaUS, at(n))
		}
		return
	}
	if key, n, ok := pair(line); ok {
		if k, known := pairsOf[file][key]; known {
			x.group.set(k.key, at(n*k.scale))
		}
	}
}

// pressure reads "some avg10=1.23 avg60=4.56 avg300=7.89 total=1234": the longest average counts.
func (x *reader) pressure(keys [2]Key, line []byte, at func(float64) Value) {
	kind, rest, _ := bytes.Cut(line, []byte(" "))
	_, rest, ok := bytes.Cut(rest, []byte("avg300="))
	word, _, _ := bytes.Cut(rest, []byte(" "))
	n, err := strconv.ParseFloat(string(word), 64)
	if !ok || err != nil || n > 100 {
		return
	}
	switch {
	case string(kind) == "some":
		x.group.set(keys[0], at(n))
	case string(kind) == "full" && keys[1] != "":
		x.group.set(keys[1], at(n))
	}
}
