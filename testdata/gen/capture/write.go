package capture

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Write writes captures below a folder, none of them compressed: gen/pack compresses all programs of a half together,
// and the folder is HALF/PROGRAM. No text of them may hold a path of this machine; a profile names the program that it
// is of.
func Write(dir string, files []File) error {
	secrets, err := machinePaths()
	if err != nil {
		return err
	}
	for _, f := range files {
		inner, err := flat(f)
		if err != nil {
			return err
		}
		for _, f := range inner {
			for _, secret := range secrets {
				if at := bytes.Index(f.Data, []byte(secret)); at >= 0 && !strings.HasSuffix(f.Name, ".pb") {
					return fmt.Errorf("%s holds a path of this machine: %.200s", f.Name, f.Data[at:])
				}
			}
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(os.Stderr, "%s, %d captures\n", strings.TrimPrefix(dir, "../"), len(files))
	return nil
}

// machinePaths are the folders that binaries built here may name.
func machinePaths() ([]string, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	root, _, _ := strings.Cut(here, "/testdata/gen/")
	return []string{root + "/", "/pkg/mod/", filepath.Join(os.TempDir(), "triage-wild")}, nil
}
