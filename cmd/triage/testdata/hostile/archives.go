package hostile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// unsafeNames are names that would be written or shown where they must not be.
func unsafeNames() []string {
	return []string{
		"../../outside.txt", "/tmp/triage-hostile-outside.txt", `..\..\outside.txt`, `C:\outside.txt`, "a/../../../outside.txt",
		"./.", "..", "", "/", "a//b", "\x1b[2Jname.txt", "name\r\n2026 forged.txt", "\u202etxt.exe", "\u200bhidden",
		"nul\x00.txt", strings.Repeat("a/", 2000) + "deep.txt", strings.Repeat("n", 5000), "CON", "-o", "~/x", "$(id)", "`id`",
		"a'b\"c", "\xff\xfe.txt", "redaction.txt", "REDACTION.TXT",
	}
}

func zipOf(name, why string, write func(z *zip.Writer) error) Input {
	return Input{Name: name, Why: why, Write: func(w io.Writer) error {
		z := zip.NewWriter(w)
		if err := write(z); err != nil {
			return err
		}
		return z.Close()
	}}
}

func zipFiles(n int, name func(i int) string, content string) func(*zip.Writer) error {
	return func(z *zip.Writer) error {
		for i := range n {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name(i), Method: zip.Store})
			if err == nil {
				_, err = io.WriteString(w, content)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func tarOf(name, why string, write func(t *tar.Writer) error) Input {
	return Input{Name: name, Why: why, Write: func(w io.Writer) error {
		t := tar.NewWriter(w)
		if err := write(t); err != nil {
			return err
		}
		return t.Close()
	}}
}

func tarFiles(n int, name func(i int) string, content func(i int) string) func(*tar.Writer) error {
	return func(t *tar.Writer) error {
		for i := range n {
			data := content(i)
			err := t.WriteHeader(&tar.Header{Name: name(i), Mode: 0o644, Size: int64(len(data)), ModTime: time.Unix(1e9, 0)})
			if err == nil {
				_, err = io.WriteString(t, data)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func numbered(f string) func(int) string { return func(i int) string { return fmt.Sprintf(f, i) } }

func constant(s string) func(int) string { return func(int) string { return s } }

// bytesOf is what an input writes, for those that are made of others.
func bytesOf(in Input) []byte {
	var b bytes.Buffer
	if err := in.Write(&b); err != nil {
		panic(fmt.Sprintf("%s can't be written to memory: %v", in.Name, err)) // it is ours
	}
	return b.Bytes()
}

func gzipped(w io.Writer, data []byte, times int) error {
	z := gzip.NewWriter(w)
	for range times {
		if _, err := z.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

func zstandard(w io.Writer, data []byte, times int) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	for range times {
		if _, err := z.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

func xzipped(w io.Writer, data []byte, times int) error {
	z, err := xz.NewWriter(w)
	if err != nil {
		return err
	}
	for range times {
		if _, err := z.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

// compressions are the formats in which bombs come.
var compressions = []struct {
	ext   string
	write func(io.Writer, []byte, int) error
}{{".gz", gzipped}, {".zst", zstandard}, {".xz", xzipped}}

// nested is a file in n archives or layers of compression.
func nested(n int, wrap func(io.Writer, []byte) error) func(io.Writer) error {
	return func(w io.Writer) error {
		data := []byte(oneStack)
		for range n {
			var b bytes.Buffer
			if err := wrap(&b, data); err != nil {
				return err
			}
			data = b.Bytes()
		}
		_, err := w.Write(data)
		return err
	}
}

func inZip(w io.Writer, data []byte) error {
	z := zip.NewWriter(w)
	if err := zipFiles(1, constant("inner.zip"), string(data))(z); err != nil {
		return err
	}
	return z.Close()
}

func inTar(w io.Writer, data []byte) error {
	t := tar.NewWriter(w)
	if err := tarFiles(1, constant("inner.tar"), constant(string(data)))(t); err != nil {
		return err
	}
	return t.Close()
}

func smallArchives() []Input {
	unsafe := unsafeNames()
	all := []Input{
		zipOf("names.zip", "names that lead outside, and names for the terminal", func(z *zip.Writer) error {
			for _, n := range unsafe {
				if strings.HasSuffix(n, "/") {
					continue // a folder, which has no bytes
				}
				w, err := z.CreateRaw(&zip.FileHeader{Name: n, CompressedSize64: uint64(len(oneStack)), UncompressedSize64: uint64(len(oneStack)),
					CRC32: crc32.ChecksumIEEE([]byte(oneStack))})
				if err == nil {
					_, err = io.WriteString(w, oneStack)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}),
		tarOf("names.tar", "names that lead outside, and names for the terminal", func(t *tar.Writer) error {
			for _, n := range unsafe {
				if n == "" || strings.Contains(n, "\x00") || strings.HasSuffix(n, "/") {
					continue // no file of a tar has such a name
				}
				if err := tarFiles(1, constant(n), constant(oneStack))(t); err != nil {
					return err
				}
			}
			return nil
		}),
		tarOf("links.tar", "links that lead outside, and files below them", links),
		tarOf("devices.tar", "devices, pipes and kinds of tomorrow", devices),
		zipOf("links.zip", "a link to the root and a file below it", func(z *zip.Writer) error {
			h := &zip.FileHeader{Name: "link"}
			h.SetMode(0o777 | 1<<27) // fs.ModeSymlink
			w, err := z.CreateHeader(h)
			if err == nil {
				_, err = io.WriteString(w, "/etc")
			}
			if err != nil {
				return err
			}
			return zipFiles(1, constant("link/passwd"), oneStack)(z)
		}),
		zipOf("equal.zip", "3,000 files of one name", zipFiles(3000, constant("a.log"), oneStack)),
		zipOf("empty.zip", "5,000 empty files", zipFiles(5000, numbered("d/%d.log"), "")),
		zipOf("sizes.zip", "entries that state sizes that they don't have", lyingSizes),
		zipOf("overlap.zip", "20,000 entries that share their bytes", overlapping),
		zipOf("comment.zip", "a comment that looks like a list of files", func(z *zip.Writer) error {
			return z.SetComment(strings.Repeat("PK\x05\x06\x00\x00\x00\x00", 4000))
		}),
		text("tail.zip", "a list of files with 65,535 entries that aren't there", "PK\x03\x04"+strings.Repeat("\x00", 60)+
			"PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00"),
		text("heads.zip", "10,000 heads of entries and no list", strings.Repeat(
			"PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\x01\x00\x00\x00a",
			10_000)),
		{Name: "sizes.tar", Why: "a file of 8 EiB that ends at once", Write: lyingTar},
		tarOf("pax.tar", "a pax record of 1 MB for each of 5 files", func(t *tar.Writer) error {
			for i := range 5 {
				h := &tar.Header{Name: fmt.Sprint(i), Format: tar.FormatPAX, PAXRecords: map[string]string{
					"TRIAGE.x": strings.Repeat("x", 1<<19)}}
				if err := t.WriteHeader(h); err != nil {
					return err
				}
			}
			return nil
		}),
		tarOf("empty.tar", "5,000 empty files", tarFiles(5000, numbered("d/%d.log"), constant(""))),
		tarOf("rotated.tar", "3,000 rotated files of one log", tarFiles(3000, numbered("app.log.%d"), numbered("line %d\n"))),
		{Name: "deep.zip", Why: "a zip in 40 zips", Write: nested(40, inZip)},
		{Name: "deep.tar", Why: "a tar in 40 tars", Write: nested(40, inTar)},
	}
	for _, c := range compressions {
		wrap := func(w io.Writer, data []byte) error { return c.write(w, data, 1) }
		all = append(all,
			Input{Name: "layers.log" + c.ext, Why: "40 layers of compression", Write: nested(40, wrap)},
			Input{Name: "zeros.log" + c.ext, Why: "16 MiB of zeros", Write: func(w io.Writer) error {
				return c.write(w, make([]byte, 1<<20), 16)
			}},
			Input{Name: "newlines.log" + c.ext, Why: "16 MiB of line breaks", Write: func(w io.Writer) error {
				return c.write(w, bytes.Repeat([]byte("\n"), 1<<20), 16)
			}},
			Input{Name: "garbage.log" + c.ext, Why: "a stream with garbage behind it", Write: func(w io.Writer) error {
				if err := c.write(w, []byte(oneStack), 1); err != nil {
					return err
				}
				_, err := io.WriteString(w, strings.Repeat("\xde\xad\xbe\xef", 1000))
				return err
			}})
	}
	return append(all, text("window.zst", "a zstd frame with a window of 3 TiB", "\x28\xb5\x2f\xfd\x00\xf8"+strings.Repeat("\x01\x00\x00", 20)),
		text("dictionary.xz", "an xz stream with a dictionary of 4 GiB",
			"\xfd7zXZ\x00\x00\x01\x69\x22\xde\x36\x02\x00\x21\x01\x28\x00\x00\x00\x00"+strings.Repeat("\x00", 64)),
		text("bzip2.bz2", "a bzip2 stream of garbage", "BZh91AY&SY"+strings.Repeat("\xa5\x5a", 500)),
		text("members.gz", "10,000 empty gzip members", strings.Repeat(
			"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00", 10_000)))
}

func links(t *tar.Writer) error {
	for _, h := range []tar.Header{
		{Typeflag: tar.TypeSymlink, Name: "root", Linkname: "/"}, {Typeflag: tar.TypeSymlink, Name: "up", Linkname: "../../.."},
		{Typeflag: tar.TypeLink, Name: "passwd", Linkname: "/etc/passwd"}, {Typeflag: tar.TypeSymlink, Name: "self", Linkname: "self"},
		{Typeflag: tar.TypeLink, Name: "hard", Linkname: "hard"},
	} {
		if err := t.WriteHeader(&h); err != nil {
			return err
		}
	}
	return tarFiles(3, func(i int) string { return []string{"root/tmp/x", "up/x", "self/x"}[i] }, constant(oneStack))(t)
}

func devices(t *tar.Writer) error {
	for i, kind := range []byte{tar.TypeChar, tar.TypeBlock, tar.TypeFifo, tar.TypeDir, '9', 'Z'} {
		h := &tar.Header{Typeflag: kind, Name: fmt.Sprint("dev", i), Devmajor: 8, Devminor: 1}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
	}
	return nil
}

func lyingSizes(z *zip.Writer) error {
	for i, size := range []uint64{0, 1, 1 << 31, 1<<32 - 1, 1 << 40, 1<<63 - 1} {
		w, err := z.CreateRaw(&zip.FileHeader{
			Name: fmt.Sprintf("%d.log", i), Method: uint16(8 * (i % 2)), CompressedSize64: uint64(len(oneStack)),
			UncompressedSize64: size, CRC32: 1,
		})
		if err == nil {
			_, err = io.WriteString(w, oneStack)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// overlapping writes entries that all state the bytes of the whole archive as theirs.
func overlapping(z *zip.Writer) error {
	for i := range 20_000 {
		w, err := z.CreateRaw(&zip.FileHeader{
			Name: fmt.Sprint(i), Method: zip.Deflate, CompressedSize64: 1 << 20, UncompressedSize64: 1 << 30,
		})
		if err == nil && i == 0 {
			_, err = w.Write(make([]byte, 1000))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func lyingTar(w io.Writer) error {
	t := tar.NewWriter(w)
	if err := tarFiles(1, constant("first.log"), constant(oneStack))(t); err != nil {
		return err
	}
	if err := t.WriteHeader(&tar.Header{Name: "huge.log", Size: 1<<63 - 1, Format: tar.FormatGNU}); err != nil {
		return err
	}
	_, err := io.WriteString(t, oneStack)
	return err
}

func bigArchives() []Input {
	all := []Input{
		zipOf("empty-50000.zip", "50,000 empty files", zipFiles(50_000, numbered("d/%d.log"), "")),
		zipOf("empty-200000.zip", "200,000 empty files", zipFiles(200_000, numbered("d/%d.log"), "")),
		zipOf("empty-1000000.zip", "10^6 empty files", zipFiles(1_000_000, numbered("d/%d.log"), "")),
		zipOf("files-20000.zip", "20,000 files of 2 KB", zipFiles(20_000, numbered("d/%d.log"), strings.Repeat(
			"2026-03-04 04:47:00 a line of a log\n", 57))),
		tarOf("files-20000.tar", "20,000 files of 2 KB", tarFiles(20_000, numbered("d/%d.log"), constant(strings.Repeat(
			"2026-03-04 04:47:00 a line of a log\n", 57)))),
		tarOf("empty-100000.tar", "100,000 empty files", tarFiles(100_000, numbered("d/%d.log"), constant(""))),
		tarOf("stacks-40.tar", "40 files of 25,000 distinct stacks", manyDumps(40, 25_000)),
		tarOf("stacks-8.tar", "8 files of 100,000 distinct stacks", manyDumps(8, 100_000)),
		tarOf("profiles-20.tar", "20 profiles of 100,000 distinct stacks", manyProfiles(20, 100_000)),
		{Name: "sparse.log", Why: "1 TiB of holes behind a line", Size: 1 << 40, Write: func(w io.Writer) error {
			_, err := io.WriteString(w, "2026-03-04 04:47:00 a line\n")
			return err
		}},
	}
	for _, c := range compressions[:2] {
		all = append(all,
			Input{Name: "newlines-1g.log" + c.ext, Why: "1 GiB of line breaks", Write: func(w io.Writer) error {
				return c.write(w, bytes.Repeat([]byte("\n"), 1<<20), 1023)
			}},
			Input{Name: "zeros-1g.log" + c.ext, Why: "1 GiB of zeros", Write: func(w io.Writer) error {
				return c.write(w, make([]byte, 1<<20), 1023)
			}},
			Input{Name: "letters-1g.log" + c.ext, Why: "a line of 1 GiB", Write: func(w io.Writer) error {
				return c.write(w, bytes.Repeat([]byte("a"), 1<<20), 1023)
			}})
	}
	return all
}

func manyDumps(files, stacks int) func(*tar.Writer) error {
	return tarFiles(files, numbered("dump-%d.txt"), func(i int) string {
		var b strings.Builder
		b.WriteString(signalHead)
		for j := range stacks {
			distinctStack(&b, i*stacks+j)
		}
		return b.String()
	})
}

func manyProfiles(files, stacks int) func(*tar.Writer) error {
	return tarFiles(files, numbered("cpu-%d.pb.gz"), func(i int) string {
		for _, s := range shapes() {
			if s.name == "stacks" {
				return string(bytesOf(profileOf(s, "cpu", "nanoseconds", "", stacks+i)))
			}
		}
		return ""
	})
}
