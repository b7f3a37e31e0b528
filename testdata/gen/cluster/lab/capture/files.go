// Package capture keeps what a person on call could collect from a cluster: audit logs, snapshots of objects, a watch,
// container logs, dumps and profiles, and a bundle of all of it.
package capture

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// archive packs files below a folder.
func (f Files) archive(folder string, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, name := range f.names() {
		header := &tar.Header{Name: folder + "/" + name, Mode: 0o644, Size: int64(len(f[name])), ModTime: at.Truncate(time.Second)}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f[name]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return packed.Bytes(), err
}

// write writes files, compressed, into a folder that holds nothing else afterwards.
func (f Files) write(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, name := range f.names() {
		data, err := squeeze(f[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		path := filepath.Join(dir, name+".zst")
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
