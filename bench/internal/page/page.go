// Package page keeps docs/performance.md: the blocks that programs write into it, and the machine they ran on.
package page

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A Usage is what one run of a command took. Its JSON goes from the command rusage to what started it.
type Usage struct {
	Wall time.Duration
	CPU  time.Duration // user and system, all threads
	Peak int64         // bytes of resident memory
	Exit int
	Late bool // ended at the limit
}

// Put replaces the block of that name in the document at path: what is between "<!-- NAME -->" and "<!-- end NAME -->",
// both on lines of their own. A document without the block is an error.
func Put(path, name, text string) error {
	doc, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading the document: %w", err)
	}
	from, to, err := find(doc, name)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var out bytes.Buffer
	out.Write(doc[:from])
	out.WriteString("\n" + strings.TrimSpace(text) + "\n\n")
	out.Write(doc[to:])
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// Get returns the text of a document's block.
func Get(doc []byte, name string) (string, error) {
	from, to, err := find(doc, name)
	return strings.TrimSpace(string(doc[from:to])), err
}

func find(doc []byte, name string) (from, to int, err error) {
	begin, end := "\n<!-- "+name+" -->\n", "<!-- end "+name+" -->\n"
	from = bytes.Index(doc, []byte(begin))
	if from >= 0 {
		from += len(begin)
		to = bytes.Index(doc[from:], []byte(end))
	}
	if from < 0 || to < 0 {
		return 0, 0, fmt.Errorf("no block %q", name)
	}
	return from, from + to, nil
}

// Machine describes where the program runs: processor, cores, memory and Go's version. What is unknown is left out.
func Machine() string {
	parts := []string{fmt.Sprintf("%d cores", runtime.NumCPU())}
	if name := field("/proc/cpuinfo", `(?m)^model name\s*: (.*)$`); name != "" {
		parts[0] += " of " + strings.Join(strings.Fields(name), " ")
	}
	if kb, err := strconv.ParseInt(field("/proc/meminfo", `(?m)^MemTotal:\s*(\d+) kB$`), 10, 64); err == nil {
		parts = append(parts, fmt.Sprintf("%.0f GB of memory", float64(kb)*1024/1e9))
	}
	return strings.Join(append(parts, goVersion()+", "+runtime.GOOS+"/"+runtime.GOARCH), ", ")
}

func field(path, pattern string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "" // not Linux
	}
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		return ""
	}
	return string(m[1])
}

// goVersion is that of the go command, which builds what is measured.
func goVersion() string {
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return runtime.Version()
	}
	return strings.TrimSpace(string(out))
}
