// Package capture keeps what a person on call could collect from a cluster: audit logs, snapshots of objects, a watch,
// container logs, dumps and profiles, and a bundle of all of it.
package capture

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Files are captures by their paths.
type Files map[string][]byte

// names are the paths in order.
func (f Files) names() []string {
	var names []string
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// bundle packs files below a folder, as `must-gather` is sent.
func (f Files) bundle(folder string, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	gz, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(gz)
	for _, name := range f.names() {
		header := &tar.Header{Name: folder + "/" + name, Mode: 0o644, Size: int64(len(f[name])), ModTime: at.Truncate(time.Second)}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = gz.Close()
	return packed.Bytes(), err
}

// write writes files, compressed, into a folder that holds nothing else afterwards.
func (f Files) write(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, name := range f.names() {
		data := f[name]
		if !strings.HasSuffix(name, ".gz") && !strings.HasSuffix(name, ".txt") {
			var err error
			if data, err = squeeze(data); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			name += ".zst"
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// squeeze compresses as well as zstd can: captures are made once and stay in the repository.
func squeeze(data []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.EncodeAll(data, nil), nil
}
