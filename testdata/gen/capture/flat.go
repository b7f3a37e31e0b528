package capture

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// flat returns the files of a capture without compression of their own: xz takes a half to a fifth of the room if it
// sees what is in them, since the profiles of one process repeat each other. X.pb.gz becomes X.pb, and X.zip the
// folder X.
func flat(f File) ([]File, error) {
	if name, ok := strings.CutSuffix(f.Name, ".gz"); ok {
		r, err := gzip.NewReader(bytes.NewReader(f.Data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		return []File{{name, data}}, nil
	}
	name, ok := strings.CutSuffix(f.Name, ".zip")
	if !ok {
		return []File{f}, nil
	}
	archive, err := zip.NewReader(bytes.NewReader(f.Data), int64(len(f.Data)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	var files []File
	for _, member := range archive.File {
		r, err := member.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		inner, err := flat(File{name + "/" + member.Name, data})
		if err != nil {
			return nil, err
		}
		files = append(files, inner...)
	}
	return files, nil
}
