package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// flat returns the files of a capture without compression of their own: xz takes a half to a fifth of the room if it
// sees what is in them, since the profiles of one process repeat each other. X.pb.gz becomes X.pb, and X.zip the folder X.
func flat(f file) ([]file, error) {
	if name, ok := strings.CutSuffix(f.name, ".gz"); ok {
		r, err := gzip.NewReader(bytes.NewReader(f.data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		return []file{{name, data}}, nil
	}
	name, ok := strings.CutSuffix(f.name, ".zip")
	if !ok {
		return []file{f}, nil
	}
	archive, err := zip.NewReader(bytes.NewReader(f.data), int64(len(f.data)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	var files []file
	for _, member := range archive.File {
		r, err := member.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		inner, err := flat(file{name + "/" + member.Name, data})
		if err != nil {
			return nil, err
		}
		files = append(files, inner...)
	}
	return files, nil
}
