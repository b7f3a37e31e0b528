package check

import (
	"archive/tar"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

func TestTheImageHasTheBinaryAlone(t *testing.T) {
	dir := dist(t)
	server := httptest.NewServer(registry.New())
	defer server.Close()
	reference := strings.TrimPrefix(server.URL, "http://") + "/gotriage/triage:v0"
	out, err := exec.Command("go", "run", "../image", dir, reference).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "@sha256:") {
		t.Fatalf("pushing: %v\n%s", err, out)
	}
	ref, err := name.ParseReference(reference)
	if err != nil {
		t.Fatal(err)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		img, err := remote.Image(ref, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: arch}))
		if err != nil {
			t.Fatal(err)
		}
		config, err := img.ConfigFile()
		if err != nil || config.Architecture != arch || len(config.Config.Entrypoint) != 1 || config.Config.User == "" {
			t.Errorf("%s: %+v, %v", arch, config, err)
		}
		layers, err := img.Layers()
		if err != nil || len(layers) != 1 {
			t.Fatalf("%d layers, %v", len(layers), err)
		}
		from, err := layers[0].Uncompressed()
		if err != nil {
			t.Fatal(err)
		}
		tr := tar.NewReader(from)
		h, err := tr.Next()
		if err != nil || h.Name != "triage" || h.Mode != 0o755 {
			t.Fatalf("%+v, %v", h, err)
		}
		file := filepath.Join(t.TempDir(), "triage")
		data, err := io.ReadAll(tr)
		if err == nil {
			err = os.WriteFile(file, data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		linux(t, file)
		if _, err := tr.Next(); err != io.EOF {
			t.Errorf("there is more than the binary: %v", err)
		}
	}
}
