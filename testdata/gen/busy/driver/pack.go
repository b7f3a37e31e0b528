package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// files are the captures of a service, in the order of the archive: those of one form together, so that they repeat
// each other.
var files = []string{"debug2.txt", "debug2-later.txt", "signal.txt", "cpu.pb", "heap.pb"}

// inflate takes the compression off a profile: the archive has one for all.
func inflate(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// pack writes the captures of one half into HALF.tar.xz, a folder for each service. The heap is kept of what is about
// the heap only.
func pack(all []program, keep, out, half string) error {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, file := range files {
		for _, p := range all {
			if p.half != half || file == "heap.pb" && p.kind != "heap" && p.kind != "well" {
				continue
			}
			data, err := os.ReadFile(filepath.Join(keep, p.name, file))
			if err != nil {
				return err
			}
			head := tar.Header{Name: p.name + "/" + file, Mode: 0o644, Size: int64(len(data))}
			if err := w.WriteHeader(&head); err != nil {
				return err
			}
			if _, err := w.Write(data); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	xz := exec.Command("xz", "-9e", "--stdout")
	xz.Stdin = &archive
	packed, err := xz.Output()
	if err != nil {
		return fmt.Errorf("running xz: %w", err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, half+".tar.xz"), packed, 0o644)
}
