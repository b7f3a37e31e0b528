// Package lzma is the part of github.com/ulikunitz/xz/lzma that packages of a release are linked with. None of ours has
// this older format.
package lzma

import (
	"errors"
	"io"

	"github.com/ulikunitz/xz"
)

// NewWriter returns a writer that packs into another one.
func NewWriter(to io.Writer) (*xz.Writer, error) { return xz.Start(to, "lzma") }

// NewReader fails: no package of a release is packed so.
func NewReader(io.Reader) (io.Reader, error) { return nil, errors.New("lzma is not read") }
