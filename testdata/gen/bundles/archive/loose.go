package archive

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Loose returns a bundle in the same format without its compression, for an archive that compresses many bundles
// together: gzip of stored blocks, or a zip of stored files. Other formats stay as they are.
func Loose(name string, bundle []byte) ([]byte, error) {
	switch {
	case strings.HasSuffix(name, ".zip"):
		return looseZip(bundle)
	case !strings.HasSuffix(name, ".gz"):
		return bundle, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(bundle))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(z, r); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

func looseZip(bundle []byte) ([]byte, error) {
	in, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range in.File {
		head := f.FileHeader
		head.Method, head.CompressedSize64 = zip.Store, head.UncompressedSize64
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		w, err := out.CreateRaw(&head)
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(w, r); err != nil {
			return nil, err
		}
	}
	err = out.Close()
	return b.Bytes(), err
}
