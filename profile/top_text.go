package profile

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/stackparse/frame"
)

// topColumns head the table that go tool pprof prints for "top" and with -top.
var topColumns = []byte("flat  flat%   sum%        cum   cum%")

// isTop reports whether text holds the output of pprof's top.
func isTop(text []byte) bool { return bytes.Contains(text[:min(len(text), 8<<10)], topColumns) }

// maxTopRows bounds the rows of a table that are read.
const maxTopRows = 10000

// A topRow is a function with the values spent in it alone and in all that it calls, in nanoseconds, bytes or counts.
type topRow struct {
	function  string
	flat, cum int64
}

// readTop reads what pprof's top prints. The table has no stacks: a function of the program that is on 90 % of them or
// more is the caller of the runtime's and the standard library's functions, and other functions have no caller.
//
//	Type: cpu
//	Duration: 5.14s, Total samples = 5.02s (97.67%)
//	Showing nodes accounting for 4410ms, 87.85% of 5020ms total
//	      flat  flat%   sum%        cum   cum%
//	    1640ms 32.67% 32.67%     4050ms 80.68%  runtime.selectgo
func readTop(data []byte) (*Profile, error) {
	b := newBuilder(0, 0)
	var rows []topRow
	typ, inTable, total := "", false, int64(0)
	for raw := range bytes.Lines(data) {
		line := strings.TrimSpace(string(raw[:min(len(raw), 4<<10)]))
		switch row, ok := topRowOf(line); {
		case inTable && ok:
			rows = append(rows, row)
		case strings.HasPrefix(line, "Type: "):
			typ = line[len("Type: "):]
		case strings.HasPrefix(line, "Duration: "):
			text, _, _ := strings.Cut(line[len("Duration: "):], ",")
			n, _, _ := topValue(text)
			b.profile.Duration = time.Duration(n)
		case strings.HasPrefix(line, "Showing nodes accounting for "):
			_, of, _ := strings.Cut(line, " of ")
			n, unit, _ := topValue(strings.TrimSuffix(of, " total"))
			total = n
			if typ == "" && unit == "nanoseconds" {
				typ = "cpu"
			}
		case bytes.Contains(raw, topColumns):
			inTable = true
		case inTable && len(rows) > 0:
			inTable = false
		}
		if len(rows) == maxTopRows {
			break
		}
	}
	if len(rows) == 0 || total <= 0 {
		return nil, errors.New("pprof's top output lacks the table or the total")
	}
	b.topTypes(typ)
	if err := b.topStacks(rows, total); err != nil {
		return nil, err
	}
	return b.build(nil)
}

func (b *builder) topTypes(typ string) {
	p := b.profile
	switch typ {
	case "cpu":
		p.Types = []ValueType{{"samples", "count"}, {"cpu", "nanoseconds"}}
		p.PeriodType, p.Period = p.Types[1], int64(10*time.Millisecond)
	case "inuse_space", "alloc_space":
		p.Types = []ValueType{{typ, "bytes"}}
	case "delay":
		p.Types = []ValueType{{typ, "nanoseconds"}}
	default:
		p.Types = []ValueType{{typ, "count"}}
	}
	p.Kind, p.Value = kindOf(p.Types, p.PeriodType, "")
	p.Comments = []string{"read from pprof's top output, which has no stacks"}
}

// topStacks adds a stack for each row, and one for what the table does not show.
func (b *builder) topStacks(rows []topRow, total int64) error {
	owner := topOwner(rows, total)
	below := owner.cum - owner.flat // what it calls, as far as no row had it yet
	add := func(name string, value int64) error {
		stack := []int32{b.frame(Frame{Func: b.function(Function{Name: name})})}
		if name != owner.function && below >= value && !isProgramFunction(name) {
			stack = append(stack, b.frame(Frame{Func: b.function(Function{Name: owner.function})}))
			below -= value
		}
		values, samples := make([]int64, len(b.profile.Types)), int64(1)
		if b.profile.Period > 0 {
			samples = max(1, value/b.profile.Period)
		}
		values[0], values[b.profile.Value] = samples, value
		return b.stacks.add(stack, 0, values, samples)
	}
	rest := total
	for _, r := range rows {
		if rest -= r.flat; r.flat == 0 {
			continue
		}
		if err := add(r.function, r.flat); err != nil {
			return err
		}
	}
	for _, part := range []int64{min(rest, below), rest - min(rest, below)} {
		if part <= 0 {
			continue
		}
		if err := add("", part); err != nil {
			return err
		}
	}
	return nil
}

// topOwner is the program's function that is on 90 % of the stacks, none where there is none: then nine in ten of what
// the runtime and the standard library take is below it whatever their stacks are.
func topOwner(rows []topRow, total int64) (owner topRow) {
	most := total / 10 * 9
	for _, r := range rows {
		if r.cum >= most && r.flat > 0 && isProgramFunction(r.function) {
			owner, most = r, r.cum
		}
	}
	return owner
}

// isProgramFunction reports whether a function is neither the runtime's nor the standard library's.
func isProgramFunction(fn string) bool {
	class := frame.Program{}.Class(frame.Frame{Func: fn})
	return symbol.PackageOf(fn) != "" && class != frame.ClassRuntime && class != frame.ClassStdlib
}

// topRowOf reads "1640ms 32.67% 32.67%     4050ms 80.68%  runtime.selectgo (inline)".
func topRowOf(line string) (r topRow, ok bool) {
	f := strings.Fields(line)
	if len(f) < 6 || !strings.HasSuffix(f[1], "%") || !strings.HasSuffix(f[4], "%") {
		return r, false
	}
	flat, _, ok := topValue(f[0])
	cum, _, also := topValue(f[3])
	name := strings.TrimSuffix(strings.Join(f[5:], " "), " (inline)")
	name = strings.TrimSuffix(name, " (partial-inline)")
	return topRow{name, flat, cum}, ok && also
}

// topUnits are those of pprof's measurement package.
var topUnits = map[string]struct {
	unit  string
	scale float64
}{
	"": {"count", 1}, "ns": {"nanoseconds", 1}, "us": {"nanoseconds", 1e3}, "ms": {"nanoseconds", 1e6},
	"s": {"nanoseconds", 1e9}, "mins": {"nanoseconds", 60e9}, "hrs": {"nanoseconds", 3600e9},
	"days": {"nanoseconds", 24 * 3600e9}, "B": {"bytes", 1}, "kB": {"bytes", 1 << 10}, "MB": {"bytes", 1 << 20},
	"GB": {"bytes", 1 << 30}, "TB": {"bytes", 1 << 40},
}

// topValue reads "1640ms", "16.50MB", "12".
func topValue(text string) (value int64, unit string, ok bool) {
	number := strings.TrimRightFunc(text, unicode.IsLetter)
	u, known := topUnits[text[len(number):]]
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !known || x < 0 || x*u.scale > 1<<62 {
		return 0, "", false
	}
	return int64(x * u.scale), u.unit, true
}
