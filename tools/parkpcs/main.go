// Command parkpcs measures how far apart the calls lie that park a goroutine in an operation on a channel, and writes
// stackparse/parked_gen.go. A goroutine profile at debug=1 names no frames of the runtime, but has their addresses:
//
//	go run ./parkpcs -out ../stackparse/parked_gen.go
//
// The second address minus the third is the return address of the call of gopark in chansend minus that of the call of
// chansend in chansend1: both lie in one file, so that the linker keeps their distance in every program. It is read
// from a small program that each release builds for each architecture.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// releases are the first and the last of each minor release: fixes to the compiler may change the code of the runtime.
const releases = "1.18,1.18.10,1.19,1.19.13,1.20,1.20.14,1.21.0,1.21.13,1.22.0,1.22.12,1.23.0,1.23.12,1.24.0,1.24.13," +
	"1.25.0,1.25.12,1.26.0,1.26.8,1.27.0,1.27.4"

// targets are the architectures, and the levels of amd64, for which compilers write other code.
var targets = []struct{ arch, env string }{
	{"amd64", ""}, {"amd64", "GOAMD64=v3"}, {"arm64", ""},
}

const program = `package main

func main() {
	c := make(chan int)
	c <- 1
	<-c
	for range c {
	}
}
`

// operations are the functions that the compiler calls for an operation, and those that do the work for them.
var operations = []struct{ name, outer, inner string }{
	{"Send", "runtime.chansend1", "runtime.chansend"},
	{"Receive", "runtime.chanrecv1", "runtime.chanrecv"},
	{"Receive", "runtime.chanrecv2", "runtime.chanrecv"},
}

func main() {
	out := flag.String("out", "", "the Go file to write; empty for standard output")
	versions := flag.String("go", releases, "Go releases, comma separated")
	flag.Parse()
	if err := run(*out, *versions); err != nil {
		fmt.Fprintln(os.Stderr, "parkpcs:", err)
		os.Exit(1)
	}
}

func run(out, versions string) error {
	temp, err := os.MkdirTemp("", "parkpcs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := os.WriteFile(filepath.Join(temp, "main.go"), []byte(program), 0o644); err != nil {
		return err
	}
	var found []distance
	for _, release := range strings.Split(versions, ",") {
		for _, t := range targets {
			some, err := measure(release, temp, t.arch, t.env)
			if err != nil {
				return fmt.Errorf("go %s, %s %s: %w", release, t.arch, t.env, err)
			}
			for _, d := range some {
				d.release = release
				found = append(found, d)
			}
			fmt.Fprintln(os.Stderr, "parkpcs:", release, t.arch, t.env, len(some))
		}
	}
	text, err := format.Source(write(found))
	if err != nil {
		return err
	}
	if out == "" {
		_, err = os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(out, text, 0o644)
}

// A distance is how far apart two return addresses are.
type distance struct {
	release, arch, operation string
	isNil                    bool // the channel is nil
	bytes                    int64
}

// measure builds the program with a release, which the go command downloads, and reads the distances from its code.
func measure(release, temp, arch, env string) ([]distance, error) {
	bin := filepath.Join(temp, "program")
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, filepath.Join(temp, "main.go"))
	cmd.Dir = temp
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=go"+release, "GOFLAGS=", "GOENV=off", "GOWORK=off", "CGO_ENABLED=0",
		"GOOS=linux", "GOARCH="+arch, env)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	listing, err := exec.Command("go", "tool", "objdump", "-s", `^runtime\.chan(send|recv)[12]?$`, bin).Output()
	if err != nil {
		return nil, fmt.Errorf("objdump: %w", err)
	}
	calls, err := readCalls(listing)
	if err != nil {
		return nil, err
	}
	var all []distance
	for _, op := range operations {
		into := slices.IndexFunc(calls[op.outer], func(c call) bool { return c.to == op.inner })
		if into < 0 {
			return nil, fmt.Errorf("%s calls no %s", op.outer, op.inner)
		}
		for i, c := range calls[op.inner] {
			if c.to != "runtime.gopark" {
				continue
			}
			// What waits for a nil channel is never woken: runtime.throw("unreachable") follows.
			isNil := i+1 < len(calls[op.inner]) && calls[op.inner][i+1].to == "runtime.throw"
			all = append(all, distance{
				arch: arch, operation: op.name, isNil: isNil, bytes: int64(c.back - calls[op.outer][into].back),
			})
		}
	}
	return all, nil
}

// A call is one call instruction of a function: whom it calls and where that returns to.
type call struct {
	to   string
	back uint64
}

var (
	textLine = regexp.MustCompile(`^TEXT (\S+)\(SB\)`)
	codeLine = regexp.MustCompile(`^  \S+:\d+\s+0x([0-9a-f]+)\s+[0-9a-f]+\s+(.*?)\s*$`)
	callText = regexp.MustCompile(`^CALL (\S+)\(SB\)`)
)

// readCalls reads the calls of each function, in order, from what `go tool objdump` prints.
func readCalls(listing []byte) (map[string][]call, error) {
	calls := map[string][]call{}
	function, pending := "", false
	for line := range strings.Lines(string(listing)) {
		line = strings.TrimRight(line, "\n")
		if m := textLine.FindStringSubmatch(line); m != nil {
			function, pending = m[1], false
			continue
		}
		m := codeLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at, err := strconv.ParseUint(m[1], 16, 64)
		if err != nil {
			return nil, err
		}
		if pending {
			calls[function][len(calls[function])-1].back = at
			pending = false
		}
		if c := callText.FindStringSubmatch(m[2]); c != nil {
			calls[function] = append(calls[function], call{to: c[1]})
			pending = true
		}
	}
	if len(calls) == 0 {
		return nil, errors.New("no calls in what objdump printed")
	}
	return calls, nil
}

// write prints the table: a row for each distance of an operation, with the builds that have it.
func write(found []distance) []byte {
	type key struct {
		class string
		bytes int64
	}
	in := map[key][]string{}
	var order []key
	var builds []string
	for _, d := range found {
		k := key{"ClassChan" + d.operation, d.bytes}
		// A receive from a nil channel stays a receive: it is what <-ctx.Done() of the background context does.
		if d.isNil && d.operation == "Send" {
			k.class = "ClassNilChan"
		}
		if in[k] == nil {
			order = append(order, k)
		}
		build := d.arch + " " + d.release
		if !slices.Contains(builds, build) {
			builds = append(builds, build)
		}
		if !slices.Contains(in[k], build) {
			in[k] = append(in[k], build)
		}
	}
	slices.SortStableFunc(builds, func(a, b string) int { return strings.Compare(a[:len("amd64")], b[:len("arm64")]) })
	slices.SortStableFunc(order, func(a, b key) int {
		return cmp.Or(strings.Compare(a.class, b.class), cmp.Compare(a.bytes, b.bytes))
	})
	mask := func(of []string) (bits uint64) {
		for _, build := range of {
			bits |= 1 << slices.Index(builds, build)
		}
		return bits
	}
	var b bytes.Buffer
	b.WriteString("// Code generated by tools/parkpcs. DO NOT EDIT.\n\npackage stackparse\n\n" +
		"// parkedBuilds is how many builds were measured, all of linux:\n//\n")
	for i := 0; i < len(builds); i += 5 {
		fmt.Fprintf(&b, "//\t%s\n", strings.Join(builds[i:min(i+5, len(builds))], ", "))
	}
	fmt.Fprintf(&b, "const parkedBuilds = %d\n\n", len(builds))
	arm := slices.DeleteFunc(slices.Clone(builds), func(s string) bool { return !strings.HasPrefix(s, "arm64") })
	b.WriteString("// parkedARM are those of arm64, whose addresses are multiples of four.\n")
	fmt.Fprintf(&b, "const parkedARM = %#x\n\n", mask(arm))
	b.WriteString("// parkedTable has the distances, with a bit for each build.\nvar parkedTable = []parkedRow{\n")
	for _, k := range order {
		fmt.Fprintf(&b, "\t{%s, %#x, %#x},\n", k.class, k.bytes, mask(in[k]))
	}
	b.WriteString("}\n")
	return b.Bytes()
}
