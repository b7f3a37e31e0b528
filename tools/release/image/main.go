// Command image makes the container image of a release: only the binary of each Linux archive, without a base image.
//
//	go run ./image DIST [REFERENCE...]
//
// It writes DIST/image, an OCI layout, and pushes it to each REFERENCE (ghcr.io/OWNER/NAME:TAG) with the credentials
// that `docker login` stored. It prints the digest of what was pushed. The same binaries give the same digest.
package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: image DIST [REFERENCE...]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func run(dist string, references []string, stdout io.Writer) error {
	var index v1.ImageIndex = mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range []string{"amd64", "arm64"} {
		file, err := binary(dist, arch)
		if err != nil {
			return err
		}
		img, err := imageOf(file, arch)
		if err != nil {
			return fmt.Errorf("making the image of %s: %w", file, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}},
		})
	}
	dir := filepath.Join(dist, "image")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if _, err := layout.Write(dir, index); err != nil {
		return fmt.Errorf("writing the layout: %w", err)
	}
	for _, reference := range references {
		ref, err := name.ParseReference(reference)
		if err != nil {
			return err
		}
		if err := remote.WriteIndex(ref, index, remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
			return fmt.Errorf("pushing to %s: %w", reference, err)
		}
		digest, err := index.Digest()
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s@%s\n", ref.Context(), digest)
	}
	return nil
}

// binary is the file that goreleaser built: the folder's name ends in the processor's level.
func binary(dist, arch string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dist, "triage_linux_"+arch+"_*", "triage"))
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%d binaries for linux/%s in %s, want one (make release-snapshot)", len(found), arch, dist)
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// imageOf is an image with the one file /triage, which it runs as nobody.
func imageOf(file, arch string) (v1.Image, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	if err := w.WriteHeader(&tar.Header{Name: "triage", Mode: 0o755, Size: int64(len(data))}); err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	img, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.OCIManifestSchema1), layer)
	if err != nil {
		return nil, err
	}
	img = mutate.ConfigMediaType(img, types.OCIConfigJSON)
	config, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", arch
	config.Config = v1.Config{
		Entrypoint: []string{"/triage"}, User: "65532:65532",
		Labels: map[string]string{
			"org.opencontainers.image.source":   "https://github.com/gotriage/triage",
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return mutate.ConfigFile(img, config)
}
