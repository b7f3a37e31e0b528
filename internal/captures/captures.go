// Package captures unpacks the archives of testdata. Only tests import it.
package captures

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// Unpack returns a folder with the files of a .tar.xz or .tar.zst, which goes when the test ends. With names it has
// only those files that they name, or that lie in folders that they name.
func Unpack(t testing.TB, archive string, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unpack(archive, dir, names...); err != nil {
		t.Errorf("%s: %v", archive, err)
	}
	return dir
}

// Dumps returns a folder with a subfolder for each release that testdata/dumps, below root, has an archive of, such as
// go1.26, or for the given ones.
func Dumps(t testing.TB, root string, releases ...string) string {
	t.Helper()
	if len(releases) == 0 {
		releases = []string{"go*"}
	}
	dir := t.TempDir()
	for _, release := range releases {
		archives, err := filepath.Glob(filepath.Join(root, release+".tar.zst"))
		if err != nil || len(archives) == 0 {
			t.Fatalf("no dumps of %s in %s: %v", release, root, err)
		}
		for _, archive := range archives {
			name := strings.TrimSuffix(filepath.Base(archive), ".tar.zst")
			if err := unpack(archive, filepath.Join(dir, name)); err != nil {
				t.Fatalf("%s: %v", archive, err)
			}
		}
	}
	return dir
}

// packed is the archive with most captures of testdata/bundles and testdata/profiles.
const packed = "all.tar.xz"

// Files returns the paths of the captures of testdata/bundles or testdata/profiles, packed or not, in order of their
// names.
func Files(t testing.TB, dir string) (paths []string) {
	t.Helper()
	for _, folder := range []string{dir, Unpack(t, filepath.Join(dir, packed))} {
		files, err := filepath.Glob(filepath.Join(folder, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, files...)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		return filepath.Base(path) == packed || strings.HasSuffix(path, ".yaml")
	})
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(filepath.Base(a), filepath.Base(b)) })
	return paths
}

// File returns the path of a capture that Files would return.
func File(t testing.TB, dir, name string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
		dir = Unpack(t, filepath.Join(dir, packed), name)
	}
	return filepath.Join(dir, name)
}

func unpack(archive, dir string, names ...string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader
	if strings.HasSuffix(archive, ".zst") {
		z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return err
		}
		defer z.Close()
		r = z
	} else if r, err = xz.NewReader(bufio.NewReader(f)); err != nil {
		return err
	}
	for files := tar.NewReader(r); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg || len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
			return h.Name == name || strings.HasPrefix(h.Name, name+"/")
		}) {
			continue
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("%q is not local", h.Name)
		}
		if err := write(filepath.Join(dir, filepath.FromSlash(h.Name)), files); err != nil {
			return err
		}
	}
}

func write(name string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
