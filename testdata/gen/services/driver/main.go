// Command driver captures the services: each is built with two releases of Go and runs once with each, all side by
// side, and is captured when it is more than five minutes old. The halves are packed into an archive each.
//
//	go run ./driver -out ../../services
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// releases are those that the services are built with: one names no more than the newest do.
var releases = []string{"go1.22.12", "go1.26.8"}

// age is how old a service is when it is captured: waits of minutes are seen by then.
const age = 5*time.Minute + 20*time.Second

// forms are what is captured, besides what SIGABRT prints.
var forms = []struct{ file, path string }{
	{"debug2.txt", "goroutine?debug=2"},
	{"debug2-later.txt", "goroutine?debug=2"},
	{"debug1.txt", "goroutine?debug=1"},
}

func main() {
	out := flag.String("out", "../../services", "folder of the archives")
	only := flag.String("only", "", "only services whose name holds this; nothing is packed")
	wait := flag.Duration("age", age, "age at which services are captured")
	flag.Parse()
	if err := run(*out, *only, *wait); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(out, only string, wait time.Duration) error {
	names, err := names("labels.tsv")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "services")
	if err != nil {
		return err
	}
	fmt.Println("captures are in", work)
	for _, r := range releases {
		build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(work, r), ".")
		build.Env = append(os.Environ(), "GOTOOLCHAIN="+r, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
		if text, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", r, err, text)
		}
	}
	var wg sync.WaitGroup
	for _, name := range names {
		for i, r := range releases {
			if !strings.Contains(name, only) {
				continue
			}
			wg.Add(1)
			collect := uint32(i) == hash(name)/2%2 // either release has services with minutes
			go func() {
				defer wg.Done()
				if err := capture(work, name, r, collect, wait); err != nil {
					fmt.Fprintln(os.Stderr, name, r, err)
				}
			}()
		}
		time.Sleep(150 * time.Millisecond)
	}
	wg.Wait()
	if only != "" {
		return nil
	}
	for i, half := range []string{"first", "second"} {
		archive, err := filepath.Abs(filepath.Join(out, half+".tar.xz"))
		if err != nil {
			return err
		}
		args := []string{
			"-C", filepath.Join(work, "captures"),
			"--sort=name", "--owner=0", "--group=0", "--mtime=2026-01-01", "-cJf", archive,
		}
		for _, name := range names {
			if hash(name)%2 != uint32(i) {
				continue
			}
			for _, r := range releases { // files alone, no folders
				for _, form := range []string{"debug2.txt", "debug2-later.txt", "debug1.txt", "signal.txt"} {
					args = append(args, filepath.Join(name, r, form))
				}
			}
		}
		pack := exec.Command("tar", args...)
		pack.Env = append(os.Environ(), "XZ_OPT=-9e")
		if text, err := pack.CombinedOutput(); err != nil {
			return fmt.Errorf("packing: %w\n%s", err, text)
		}
	}
	return nil
}

// hash decides the half that a name belongs to: even is the first.
func hash(name string) uint32 {
	h := fnv.New32a()
	io.WriteString(h, name)
	return h.Sum32()
}

// names are the services of the list.
func names(list string) (names []string, err error) {
	data, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Split(string(data), "\n")[1:] {
		if name, _, ok := strings.Cut(line, "\t"); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// capture runs a service, lets it grow old, and keeps what it shows.
func capture(work, name, release string, collect bool, wait time.Duration) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := l.Addr().String()
	l.Close()
	dir := filepath.Join(work, "captures", name, release)
	tmp := filepath.Join(work, "tmp", name, release)
	for _, d := range []string{dir, tmp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	var output bytes.Buffer
	cmd := exec.CommandContext(context.Background(), filepath.Join(work, release), name)
	cmd.Stdout, cmd.Stderr, cmd.Dir, cmd.WaitDelay = &output, &output, tmp, 5*time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = []string{
		"GOMAXPROCS=4", "GOTRACEBACK=all", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "TMPDIR=" + tmp,
		"SERVICE_ADDR=" + address,
	}
	if collect {
		cmd.Env = append(cmd.Env, "SERVICE_GC=1")
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	time.Sleep(wait)
	for i, form := range forms {
		if i == 1 {
			time.Sleep(10 * time.Second)
		}
		answer, err := http.Get("http://" + address + "/debug/pprof/" + form.path)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, form.file), data, 0o644); err != nil {
			return err
		}
	}
	if err := cmd.Process.Signal(syscall.SIGABRT); err != nil {
		return err
	}
	cmd.Wait() // it ends by the signal
	return os.WriteFile(filepath.Join(dir, "signal.txt"), output.Bytes(), 0o644)
}
