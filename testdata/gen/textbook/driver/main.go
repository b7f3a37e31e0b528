// Command driver captures the programs of a half: each is built with two releases of Go and runs twice with each. The
// first run is captured after ten seconds, the second, which has collected garbage at its start, after three minutes
// and a half. What a program prints that ends by itself is its capture. Programs that spin run four at a time, and the
// second time for forty seconds.
//
//	go run ./driver -half first -out ../../textbook
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// releases are those of Go that programs are built with.
var releases = []string{"go1.24.9", "go1.26.8"}

// A form is what is fetched from a program's pprof port, after a pause.
type form struct {
	file, path string
	pause      time.Duration
}

var (
	younger = []form{{"debug2.txt", "goroutine?debug=2", 0}, {"debug1.txt", "goroutine?debug=1", 0}}
	older   = []form{
		{"debug2.txt", "goroutine?debug=2", 0},
		{"debug2-later.txt", "goroutine?debug=2", 10 * time.Second},
		{"debug1.txt", "goroutine?debug=1", 0},
		{"goroutine.pb", "goroutine", 0},
	}
	cpu  = form{"cpu.pb", "profile?seconds=5", 0}
	heap = form{"heap.pb", "heap", 0}
)

// A half is a list of programs, each of which is a package, and where their captures go.
type half struct {
	name, work string
	spins      chan struct{} // has room for those that run side by side
}

// A program is built with one release of Go. Its look-alike has the category of its fault: both are run alike.
type program struct {
	name, category, release string
	port                    int // of its profiles
}

// spins reports whether a program needs a core.
func (p *program) spins() bool {
	return strings.Contains(p.category, "spin") || strings.Contains(p.category, "hot-cpu")
}

func main() {
	name := flag.String("half", "first", "the half: first or second")
	out := flag.String("out", "../../textbook", "folder of the archives")
	only := flag.String("only", "", "only programs whose name holds one of these, separated by commas; nothing is packed")
	flag.Parse()
	if err := run(*name, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(name, out, only string) error {
	work, err := os.MkdirTemp("", "textbook")
	if err != nil {
		return err
	}
	fmt.Println("captures are in", work)
	h := &half{name: name, work: work, spins: make(chan struct{}, 4)}
	programs, err := h.programs(only)
	if err != nil {
		return err
	}
	for _, release := range releases {
		if err := h.build(release); err != nil {
			return err
		}
	}
	failed := h.each(programs, func(p *program) error { return h.young(p) }) +
		h.each(programs, func(p *program) error { return h.old(p) })
	if failed > 0 || only != "" {
		return fmt.Errorf("%d captures failed, nothing is packed", failed)
	}
	return h.pack(filepath.Join(out, name+".tar.xz"))
}

// programs are the rows of the half's list, each with both releases.
func (h *half) programs(only string) (all []*program, err error) {
	data, err := os.ReadFile(h.name + ".tsv")
	if err != nil {
		return nil, err
	}
	categories := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		categories[cells[0]] = cells[1]
	}
	port := 21000
	for name := range categories {
		if !slices.ContainsFunc(strings.Split(only, ","), func(s string) bool { return strings.Contains(name, s) }) {
			continue
		}
		for _, release := range releases {
			port++
			all = append(all, &program{name, categories[strings.TrimSuffix(name, "-well")], release, port})
		}
	}
	return all, nil
}

func (h *half) build(release string) error {
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-w", "-o", filepath.Join(h.work, release)+"/", "./"+h.name+"/...")
	build.Env = append(os.Environ(), "GOTOOLCHAIN="+release, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", release, err, text)
	}
	return nil
}

// each does the same with all programs, side by side but for those that spin, and returns for how many it failed.
func (h *half) each(programs []*program, do func(p *program) error) (failed int) {
	var group sync.WaitGroup
	var mu sync.Mutex
	for _, p := range programs {
		group.Add(1)
		go func() {
			defer group.Done()
			if p.spins() {
				h.spins <- struct{}{}
				defer func() { <-h.spins }()
			}
			if err := do(p); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed++
				fmt.Fprintln(os.Stderr, p.name, p.release, err)
			}
		}()
		time.Sleep(50 * time.Millisecond)
	}
	group.Wait()
	return failed
}

// folder is where the captures of a program are, after its name and release.
func (h *half) folder(p *program, age string) string {
	return filepath.Join(h.work, "captures", p.name, p.release+age)
}

// crashFile holds what a program printed that ended by itself.
const crashFile = "crash.txt"

// young captures a program that has run for ten seconds, or what it printed if it has ended.
func (h *half) young(p *program) error {
	r, err := h.start(p)
	if err != nil {
		return err
	}
	defer r.end()
	select {
	case <-r.ended:
		return write(filepath.Join(h.folder(p, ""), crashFile), r.output.Bytes())
	case <-time.After(10 * time.Second):
		return r.keep(h.folder(p, "-young"), younger)
	}
}

// old captures a program that has run for minutes, unless it ends by itself.
func (h *half) old(p *program) error {
	dir := h.folder(p, "")
	if _, err := os.Stat(filepath.Join(dir, crashFile)); err == nil {
		return nil
	}
	forms, age := slices.Clone(older), 3*time.Minute+30*time.Second
	switch {
	case p.spins():
		forms, age = append(forms, cpu), 40*time.Second
	case p.category == "memory":
		forms = append(forms, heap)
	}
	r, err := h.start(p, "GCEARLY=1")
	if err != nil {
		return err
	}
	defer r.end()
	select {
	case <-r.ended:
		return fmt.Errorf("has ended: %s", r.output.Bytes())
	case <-time.After(age):
		return r.keep(dir, forms)
	}
}

// A running program is a process group of its own.
type running struct {
	*exec.Cmd
	output bytes.Buffer
	ended  chan struct{}
	port   string
}

func (h *half) start(p *program, env ...string) (*running, error) {
	tmp := filepath.Join(h.work, "tmp", p.name, p.release)
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return nil, err
	}
	address := fmt.Sprint("127.0.0.1:", p.port)
	r := &running{Cmd: exec.Command(filepath.Join(h.work, p.release, p.name)), ended: make(chan struct{}),
		port: "http://" + address + "/debug/pprof/"}
	r.Stdout, r.Stderr, r.Dir, r.WaitDelay = &r.output, &r.output, tmp, 5*time.Second
	r.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r.Env = append(env, "GOMAXPROCS=4", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "TMPDIR="+tmp, "PPROF="+address)
	if err := r.Start(); err != nil {
		return nil, err
	}
	go func() {
		r.Wait()
		close(r.ended)
	}()
	return r, nil
}

// end ends a program and what it has started.
func (r *running) end() { syscall.Kill(-r.Process.Pid, syscall.SIGKILL) }

// keep writes the forms to a folder, and then what SIGABRT makes the program print.
func (r *running) keep(dir string, forms []form) error {
	for _, f := range forms {
		time.Sleep(f.pause)
		if err := f.keep(r.port, dir); err != nil {
			return err
		}
	}
	if err := r.Process.Signal(syscall.SIGABRT); err != nil {
		return err
	}
	<-r.ended
	return write(filepath.Join(dir, "signal.txt"), r.output.Bytes())
}

// keep fetches a form and writes it to a folder, decompressed: so the archive of all is smaller.
func (f form) keep(port, dir string) error {
	answer, err := http.Get(port + f.path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var r io.Reader = answer.Body
	if strings.HasSuffix(f.file, ".pb") {
		if r, err = gzip.NewReader(r); err != nil {
			return err
		}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return write(filepath.Join(dir, f.file), data)
}

func write(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// pack makes an archive of all captures: of files alone, no folders.
func (h *half) pack(archive string) error {
	archive, err := filepath.Abs(archive)
	if err != nil {
		return err
	}
	captures := filepath.Join(h.work, "captures")
	var files []string
	err = filepath.WalkDir(captures, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			path, err = filepath.Rel(captures, path)
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	pack := exec.Command("tar", append([]string{"-C", captures, "--owner=0", "--group=0", "--mtime=2026-01-01", "-cJf", archive},
		files...)...)
	pack.Env = append(os.Environ(), "XZ_OPT=-6")
	if text, err := pack.CombinedOutput(); err != nil {
		return fmt.Errorf("packing: %w\n%s", err, text)
	}
	return nil
}
