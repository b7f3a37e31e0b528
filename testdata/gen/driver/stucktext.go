package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
)

// shown are those of the functions, separated by "|", that a dump shows.
func shown(dump []byte, functions string) string {
	var list []string
	for _, f := range strings.Split(functions, "|") {
		if bytes.Contains(dump, []byte(f+"(")) || bytes.Contains(dump, []byte("created by "+f+"\n")) ||
			bytes.Contains(dump, []byte("created by "+f+" in ")) {
			list = append(list, f)
		}
	}
	return strings.Join(list, "|")
}

// writeText writes a fixture, compressed where its name says so.
func writeText(path string, text []byte) error {
	if strings.HasSuffix(path, ".txt.gz") {
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return fmt.Errorf("compressing %s: %w", path, err)
		}
		if err := w.Close(); err != nil {
			return fmt.Errorf("compressing %s: %w", path, err)
		}
		text = packed.Bytes()
	}
	return os.WriteFile(path, text, 0o644)
}

// readText reads what writeText wrote.
func readText(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".txt.gz") {
		return text, err
	}
	r, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("decompressing %s: %w", path, err)
	}
	return io.ReadAll(r)
}
