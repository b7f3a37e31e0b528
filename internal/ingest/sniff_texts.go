package ingest

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// kubectlWithin is in how many lines kubectl's output begins: behind a command's echo, a date, warnings.
const kubectlWithin = 16

// isKubectlText accepts text in whose first lines a description or a table of kubectl begins.
func isKubectlText(text []byte) bool {
	rest := text[:min(len(text), 8<<10)]
	for range kubectlWithin {
		if len(rest) == 0 {
			return false
		}
		if beginsDescription(rest) {
			return true
		}
		line, after, _ := bytes.Cut(rest, newline)
		if isTableHeader(bytes.TrimRight(line, "\r")) {
			return true
		}
		rest = after
	}
	return false
}

// beginsDescription accepts a name, and below it a second key of those that kubectl describe prints of every kind.
func beginsDescription(text []byte) bool {
	if !bytes.HasPrefix(text, []byte("Name:  ")) {
		return false
	}
	_, rest, _ := bytes.Cut(text, newline)
	for range 6 {
		var line []byte
		if line, rest, _ = bytes.Cut(rest, newline); describedKey().Match(line) {
			return true
		}
	}
	return false
}

var describedKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(Namespace|Priority|Roles|Labels|Annotations|CreationTimestamp|StorageClass|Selector):  `)
})

// isTableHeader accepts the header of a table of kubectl get, which ends every row of a kind that it knows with its
// age, of its events, and of kubectl top.
func isTableHeader(line []byte) bool {
	if len(line) > 1<<10 {
		return false
	}
	if isEventColumns(line) {
		return true
	}
	if !begins(line, "NAME ", "NAMESPACE ", "LAST SEEN ", "POD ") {
		return false
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !bytes.Contains(line, []byte("  "+n)) })
	}
	return has("CPU(cores)", "MEMORY(bytes)") || len(bytes.Trim(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ- ")) == 0 &&
		(has("AGE") || has("TYPE", "REASON", "OBJECT", "MESSAGE"))
}

// isEventColumns accepts the header of custom columns of events: their names in any case, three spaces apart.
func isEventColumns(line []byte) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz -_"
	if !bytes.Contains(line, []byte("   ")) || len(bytes.Trim(line, letters)) > 0 {
		return false
	}
	has := map[string]bool{}
	for _, word := range bytes.Fields(bytes.ToUpper(line)) {
		has[string(word)] = true
	}
	return has["REASON"] && has["MESSAGE"] && (has["OBJECT"] || has["KIND"] && has["NAME"])
}

// metricsWithin is in how many lines the metrics begin: behind the error of a download, a command's echo.
const metricsWithin = 16

// isMetrics accepts Prometheus' and OpenMetrics' text: a "# TYPE" or "# HELP" line with a sample behind it, or samples
// with labels from the first line on.
func isMetrics(text []byte) bool {
	comment, labelled := false, 0
	n := 0
	for line := range bytes.Lines(text[:min(len(text), 8<<10)]) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		n++
		switch {
		case begins(line, "# TYPE ", "# HELP ", "# UNIT "):
			comment = comment || bytes.Count(line, []byte(" ")) >= 3
		case sampleLine().Match(line):
			// All of text is searched last: no line of a log gets so far.
			if comment {
				return typed(text) || ofProcess(text)
			}
			if labelled++; labelled == 4 && !typed(text) {
				return ofProcess(text)
			}
		case n > metricsWithin:
			return false
		}
	}
	return false
}

// typed reports whether metrics have their types.
func typed(text []byte) bool { return bytes.Contains(text, []byte("# TYPE ")) }

// ofProcess reports whether metrics are those that a program has of itself.
func ofProcess(text []byte) bool {
	return bytes.Contains(text, []byte("go_goroutines ")) || bytes.Contains(text, []byte("process_cpu_seconds_total "))
}

var sampleLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})?[ \t]+([-+]?[0-9][-+.0-9eE]*|[-+]?Inf|NaN)([ \t]|$)`)
})

// isCgroup accepts files of control groups and of pressure by what is in them: cpu.stat, memory.events, cpu.pressure,
// or several that were printed with their names.
func isCgroup(text []byte) bool {
	line, _, _ := bytes.Cut(text, newline)
	line = bytes.TrimSpace(line)
	text = text[:min(len(text), 4<<10)]
	switch {
	case len(line) > 1<<10:
		return false
	case bytes.HasPrefix(line, []byte("some avg10=")) && bytes.Contains(line, []byte(" avg300=")):
		return true
	case bytes.HasPrefix(line, []byte("low ")) && bytes.Contains(text, []byte("\noom_kill ")):
		return true
	case begins(line, "usage_usec ", "nr_periods ") && bytes.Contains(text, []byte("nr_throttled ")):
		return true
	}
	switch {
	case bytes.Contains(line, []byte("cgroup")):
		return printedLimit().Match(line)
	case bytes.Contains(line, []byte("pressure")) || begins(line, "cpu", "memory.", "==> cpu", "==> memory."):
		return printedBare().Match(text)
	}
	return false
}

// printedBare is how the same looks where the names have no folder, and of /proc/pressure: the name says little, so
// that its first line of text has to be one of such a file.
var printedBare = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(==> )?` +
		`(/proc/pressure/(cpu|memory|io)|(cpu|memory|io)\.pressure|(cpu|cpuacct|memory)\.[a-z_.]+)( <==\r?\n|:)` +
		`(some avg10=|(usage_usec|nr_periods|low|anon|oom_kill_disable) [0-9]|(max|[0-9]+)( [0-9]+)?\r?\n)`)
})

// printedLimit is the first line of what `grep . FILES` or `tail -n +1 FILES` prints of control groups.
var printedLimit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(==> )?[^ :]*cgroup[^ :]*/(cpu|cpuacct|memory|io)\.[a-z_.]+( <==$|:[a-z0-9-])`)
})

// isLimitFile accepts the files of control groups that hold a few numbers and no more, which only their names
// distinguish from others: cpu.max, memory.current, memory.stat.
func isLimitFile(name string, head []byte) bool {
	text := bytes.TrimSpace(head)
	return (strings.Contains(name, "cpu") || strings.Contains(name, "memory.")) && limitName().MatchString(name) &&
		len(head) < 16<<10 && numbersOnly().Match(text)
}

var limitName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[-_])(cpu|cpuacct|memory)\.` +
		`(max|current|peak|events|usage|failcnt|stat|oom_control|[a-z_]+_us|[a-z_]+_in_bytes)(\.local)?(\.txt)?$`)
})

var numbersOnly = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z_]+ [0-9]+(\n|$))+$|^(max|-?[0-9]+)( [0-9]+)?$`)
})
