package capture

import (
	"archive/tar"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// compression has no use for the alignment of binary data, and more context of each byte: most captures are text.
const compression = "--lzma2=preset=9e,pb=0,lc=4"

// Write writes captures to a tar archive that xz compresses, and nothing else does. The same form of several processes
// lies side by side in it. No text of them may hold a path of this machine; a profile names the program that it is of.
func Write(path string, files []File) error {
	secrets, err := machinePaths()
	if err != nil {
		return err
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	var all []File
	for _, f := range files {
		inner, err := flat(f)
		if err != nil {
			return err
		}
		all = append(all, inner...)
	}
	slices.SortFunc(all, func(a, b File) int {
		return cmp.Or(cmp.Compare(filepath.Ext(a.Name), filepath.Ext(b.Name)),
			cmp.Compare(filepath.Base(a.Name), filepath.Base(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	for _, f := range all {
		for _, secret := range secrets {
			if at := bytes.Index(f.Data, []byte(secret)); at >= 0 && !strings.HasSuffix(f.Name, ".pb") {
				return fmt.Errorf("%s holds a path of this machine: %.200s", f.Name, f.Data[at:])
			}
		}
		if err := w.WriteHeader(&tar.Header{Name: f.Name, Mode: 0o644, Size: int64(len(f.Data))}); err != nil {
			return err
		}
		if _, err := w.Write(f.Data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	xz := exec.Command("xz", compression, "--stdout")
	xz.Stdin = &archive
	packed, err := xz.Output()
	if err != nil {
		return fmt.Errorf("running xz: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s, %d captures, %d KB\n", strings.TrimPrefix(path, "../"), len(all), len(packed)/1024)
	return os.WriteFile(path, packed, 0o644)
}

// machinePaths are the folders that binaries built here may name.
func machinePaths() ([]string, error) {
	here, err := filepath.Abs("../../../..")
	if err != nil {
		return nil, err
	}
	return []string{here, "/pkg/mod/", filepath.Join(os.TempDir(), "triage-wild")}, nil
}
