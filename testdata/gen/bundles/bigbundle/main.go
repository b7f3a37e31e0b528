// Command bigbundle writes one large support bundle: 300 pods, 3 nodes whose archives lie inside, rotated logs, audit logs,
// one goroutine dump hidden in a rotated log of a pod, and one agent that updates an object for ever. It is what speed and memory
// are measured with, and never kept: the same arguments give the same bytes.
//
//	go run ./bigbundle -o /tmp/bundle.zip -size 2GiB -format zip
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"example.com/bundles/archive"
)

func main() {
	out := flag.String("o", "", "the file to write")
	size := flag.String("size", "2GiB", "bytes in all when decompressed: a number, or with KiB, MiB, GiB")
	format := flag.String("format", "zip", "zip or tar.gz")
	dump := flag.String("dump", "../../pods/harbor-system_harbor-controller-5c9d8f7b6-x2x7k_3f0b6c1e-7d52-4c0a-9b1f-2a6d8e4c5b90/controller/1.log",
		"the log of a pod, in CRI framing, with the goroutine dump to hide")
	flag.Parse()
	if err := run(*out, *size, *format, *dump); err != nil {
		fmt.Fprintln(os.Stderr, "bigbundle:", err)
		os.Exit(1)
	}
}

func run(path, size, format, dump string) error {
	bytes, err := parseSize(size)
	if err != nil {
		return err
	}
	if path == "" {
		return fmt.Errorf("-o is missing")
	}
	log, err := os.ReadFile(dump)
	if err != nil {
		return fmt.Errorf("reading the dump to hide: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	b := plan(bytes, unframe(log))
	pack := archive.Zip
	if format == "tar.gz" {
		pack = archive.TarGz
	} else if format != "zip" {
		return fmt.Errorf("-format %s: zip or tar.gz", format)
	}
	if err := pack(w, len(b.files), b.file); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func parseSize(s string) (int64, error) {
	unit := int64(1)
	for suffix, n := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, unit = rest, n
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n*float64(unit) < 1<<20 {
		return 0, fmt.Errorf("-size %s: a size of at least 1MiB", s)
	}
	return int64(n * float64(unit)), nil
}

// unframe takes CRI's framing off the log that holds the dump: the bundle's log has times of its own.
func unframe(log []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(log) {
		if f := bytes.SplitN(bytes.TrimSuffix(line, []byte("\n")), []byte(" "), 4); len(f) == 4 {
			lines = append(lines, f[3])
		}
	}
	return lines
}
