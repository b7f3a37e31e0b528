// Command pack writes the captures of a folder, or of an archive that it packs again, into one compressed archive:
//
//	go run . [-frames] [-gzip] ARCHIVE [FOLDER]
//
// Files of the archive that FOLDER lacks stay in it; without FOLDER, the archive is packed again.
//
// It takes the compression off each file, since captures of one process compress far better together, and puts those of
// one program side by side, equal names next to each other. The name of ARCHIVE ends in .tar.xz (smallest) or .tar.zst (fastest to read). With
// -frames it writes the stack pointers of signal dumps as relative makes them, and with -gzip files stay in gzip, under
// their names, without being compressed by it. The programs xz and zstd do the rest.
package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A file is a capture with its path in the archive.
type file struct {
	name string
	data []byte
}

func main() {
	frames := flag.Bool("frames", false, "write the stack pointers of signal dumps relative to the frame before")
	stored := flag.Bool("gzip", false, "keep files in gzip, stored")
	flag.Parse()
	if err := pack(flag.Arg(0), flag.Arg(1), *frames, *stored); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func pack(archive, folder string, frames, stored bool) error {
	var files, old []file
	var err error
	if folder != "" {
		files, err = readFolder(folder)
	}
	if _, missing := os.Stat(archive); err == nil && missing == nil {
		old, err = readArchive(archive)
	}
	if err != nil {
		return err
	}
	for i := range files {
		if err := files[i].unpack(stored); err != nil {
			return err
		}
		if frames && strings.HasSuffix(files[i].name, ".txt") {
			files[i].data = relative(files[i].data)
		}
	}
	for _, f := range old {
		if frames && strings.HasSuffix(f.name, ".txt") {
			f.data = relative(f.data)
		}
		if !slices.ContainsFunc(files, func(g file) bool { return g.name == f.name }) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(cmp.Compare(filepath.Ext(a.name), filepath.Ext(b.name)), cmp.Compare(program(a.name), program(b.name)),
			cmp.Compare(filepath.Base(a.name), filepath.Base(b.name)), cmp.Compare(a.name, b.name))
	})
	return write(archive, files)
}

// program is the folder at the top of a path, "" for none.
func program(name string) string {
	top, _, ok := strings.Cut(name, "/")
	if !ok {
		return ""
	}
	return top
}

// unpack takes gzip or zstd off a file and off its name. Archives keep theirs: it is part of what is tested. With stored,
// gzip stays as a frame around what it held.
func (f *file) unpack(stored bool) error {
	programs := map[string]string{".gz": "gzip", ".zst": "zstd"}
	program := programs[filepath.Ext(f.name)]
	if program == "" || strings.HasSuffix(f.name, ".tar.gz") {
		return nil
	}
	data, err := through(f.data, program, "-dc")
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	if !stored || program != "gzip" {
		f.name, f.data = strings.TrimSuffix(f.name, filepath.Ext(f.name)), data
		return nil
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	f.data = b.Bytes()
	return err
}

func readFolder(dir string) (files []file, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		name, relErr := filepath.Rel(dir, path)
		files = append(files, file{filepath.ToSlash(name), data})
		return errors.Join(err, relErr)
	})
	return files, err
}

func readArchive(path string) (files []file, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	program := "xz"
	if strings.HasSuffix(path, ".zst") {
		program = "zstd"
	}
	if data, err = through(data, program, "-dc"); err != nil {
		return nil, err
	}
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag == tar.TypeReg {
			data, err := io.ReadAll(r)
			if err != nil {
				return nil, err
			}
			files = append(files, file{h.Name, data})
		}
	}
}

func write(archive string, files []file) error {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.data))}); err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	// Text has no use for the alignment of binary data, and more context of each byte.
	command := []string{"xz", "--lzma2=preset=9,nice=273,pb=0,lc=4,dict=128MiB", "-c"}
	if strings.HasSuffix(archive, ".zst") {
		command = []string{"zstd", "-q", "--ultra", "-22", "--long=27", "-c"}
	}
	packed, err := through(b.Bytes(), command[0], command[1:]...)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s: %d files, %d KB\n", archive, len(files), len(packed)/1024)
	return os.WriteFile(archive, packed, 0o644)
}

// through is what a program makes of data.
func through(data []byte, program string, args ...string) ([]byte, error) {
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(data), os.Stderr
	return cmd.Output()
}
