package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A row is what captures need of a line of servers.tsv.
type row struct {
	name, install string
	forms         []string
}

// readServers reads servers.tsv.
func readServers(list string) ([]row, error) {
	data, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	var rows []row
	for line := range strings.Lines(string(data)) {
		columns := strings.Split(strings.TrimRight(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#") || columns[0] == "name":
		case len(columns) != 7:
			return nil, fmt.Errorf("%s: %q has %d columns", list, columns[0], len(columns))
		default:
			rows = append(rows, row{name: columns[0], install: columns[1], forms: strings.Fields(columns[4])})
		}
	}
	return rows, nil
}

// gives reports whether the server can be captured in a form.
func (r row) gives(form string) bool { return slices.Contains(r.forms, form) }

// ready returns the path of the server's binary, which it installs if the cache has none.
func (r row) ready(ctx context.Context, cache string) (string, error) {
	kind, what, _ := strings.Cut(r.install, " ")
	switch kind {
	case "debian":
		pkg, _, _ := strings.Cut(what, " ")
		bin := binaries[pkg]
		if bin == "" {
			bin = "usr/bin/" + pkg
		}
		return debian(ctx, cache, pkg, bin)
	case "module":
		bin := filepath.Join(cache, "bin", r.name)
		if _, err := os.Stat(bin); err == nil {
			return bin, nil
		}
		pinned, note, _ := strings.Cut(what, " ")
		return bin, buildModule(ctx, filepath.Join(cache, "mod", r.name), bin, pinned, note)
	}
	return "", fmt.Errorf("nobody knows how %q is installed", r.install)
}

// binaries are the binaries of packages that don't have the package's name.
var binaries = map[string]string{
	"docker.io":          "usr/sbin/dockerd",
	"etcd-server":        "usr/bin/etcd",
	"etcd-client":        "usr/bin/etcdctl",
	"influxdb":           "usr/bin/influxd",
	"nats-server":        "usr/sbin/nats-server",
	"syncthing-relaysrv": "usr/bin/strelaysrv",
}

// debian returns the path of a file in a package, which is unpacked and not installed: no service starts.
func debian(ctx context.Context, cache, pkg, file string) (string, error) {
	folder, err := filepath.Abs(filepath.Join(cache, "deb", pkg))
	if err != nil {
		return "", err
	}
	bin := filepath.Join(folder, file)
	if _, err := os.Stat(bin); !errors.Is(err, fs.ErrNotExist) {
		return bin, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	if err := inFolder(ctx, folder, "apt-get", "download", pkg); err != nil {
		return "", err
	}
	archives, err := filepath.Glob(filepath.Join(folder, "*.deb"))
	if err != nil || len(archives) != 1 {
		return "", fmt.Errorf("%q of %s: %w", archives, pkg, err)
	}
	if err := inFolder(ctx, folder, "dpkg", "-x", archives[0], "."); err != nil {
		return "", err
	}
	return bin, os.Remove(archives[0])
}

// replaces are directives of modules' own without which they don't build.
var replaces = map[string]string{
	"nsqd": "github.com/judwhite/go-svc=github.com/mreiferson/go-svc@v1.2.2-0.20210815184239-7a96e00010f6",
}

// buildModule builds a package of a module, "m@v1.2.3" with the note "(package cmd/x, tag y)", inside a module of the
// lab's own, since the go command does not install a module that has replace directives.
func buildModule(ctx context.Context, folder, bin, pinned, note string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	pkg, _, _ := strings.Cut(pinned, "@")
	words := strings.FieldsFunc(note, func(r rune) bool { return strings.ContainsRune("( ,)", r) })
	args := []string{"build", "-mod=mod", "-trimpath", "-o", bin}
	for i, word := range words {
		switch {
		case word == "package" && i+1 < len(words):
			pkg = path.Join(pkg, words[i+1])
		case word == "tag" && i+1 < len(words):
			args = append(args, "-tags", words[i+1])
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil {
		if err := inFolder(ctx, folder, "go", "mod", "init", "lab.example/"+filepath.Base(folder)); err != nil {
			return err
		}
		if replace := replaces[filepath.Base(folder)]; replace != "" {
			if err := inFolder(ctx, folder, "go", "mod", "edit", "-replace="+replace); err != nil {
				return err
			}
		}
		if err := inFolder(ctx, folder, "go", "get", pinned); err != nil {
			return err
		}
	}
	return inFolder(ctx, folder, "go", append(args, pkg)...)
}

// inFolder runs a command.
func inFolder(ctx context.Context, folder, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%.2000s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// share copies a folder of an unpacked package to where it would be installed.
func share(bin, folder string) error {
	if _, err := os.Stat("/" + folder); err == nil {
		return nil
	}
	root := strings.TrimSuffix(bin, "usr/bin/"+filepath.Base(bin))
	return os.CopyFS("/"+folder, os.DirFS(filepath.Join(root, folder)))
}
