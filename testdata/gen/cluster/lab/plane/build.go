package plane

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// versions are the linker's flags, which give components the version that their user agents name: releases are built so.
const versions = "-w -X k8s.io/client-go/pkg/version.gitVersion=v1.34.4 -X k8s.io/client-go/pkg/version.gitCommit=2a2e1c3d5f" +
	" -X k8s.io/component-base/version.gitVersion=v1.34.4 -X k8s.io/component-base/version.gitCommit=2a2e1c3d5f"

// Build builds a main package of a folder into the cache and returns the binary's path. A binary whose sources are
// unchanged is used again: the control plane takes up to half an hour.
func Build(ctx context.Context, folder, cache string) (string, error) {
	sum, err := sources(folder)
	if err != nil {
		return "", err
	}
	bin := filepath.Join(cache, filepath.Base(folder))
	built, _ := os.ReadFile(bin + ".sum")
	if _, err := os.Stat(bin); err == nil && string(built) == sum {
		return bin, nil
	}
	return bin, build(ctx, folder, bin, sum, versions)
}

// binaries are the folders that BuildAll builds.
var binaries = []string{"etcd", "controlplane", "kubectl"}

// BuildAll builds the control plane and kubectl, whose folders lie in one, and returns the binaries' paths by folder.
func BuildAll(ctx context.Context, folder, cache string) (map[string]string, error) {
	all := map[string]string{}
	for _, name := range binaries {
		bin, err := Build(ctx, filepath.Join(folder, name), cache)
		if err != nil {
			return nil, err
		}
		all[name] = bin
	}
	return all, nil
}

// Built returns what BuildAll would, and builds nothing: it fails if a binary is missing.
func Built(cache string) (map[string]string, error) {
	all := map[string]string{}
	for _, name := range binaries {
		all[name] = filepath.Join(cache, name)
		if _, err := os.Stat(all[name]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func build(ctx context.Context, folder, bin, sum, flags string) error {
	if err := os.MkdirAll(filepath.Dir(bin), 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags="+flags, "-o", bin, ".")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%.4000s", folder, err, out)
	}
	return os.WriteFile(bin+".sum", []byte(sum), 0o644)
}

// Program builds a program of the lab's own module, as often as asked: the build cache knows what has changed.
func Program(ctx context.Context, folder, cache string) (string, error) {
	bin := filepath.Join(cache, "programs", filepath.Base(folder))
	return bin, build(ctx, folder, bin, "", "-w")
}

// sources is the sum of a folder's files and the Go release.
func sources(folder string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), versions)
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, path))
		fmt.Fprintf(h, "%s %d\n%s", path, len(data), data)
		return err
	})
	return fmt.Sprintf("%x\n", h.Sum(nil)), err
}
