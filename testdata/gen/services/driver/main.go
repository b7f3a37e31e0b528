// Command driver captures the services: each is built with two releases of Go and runs once with each, all side by
// side, and is captured when it is more than five minutes old. The halves are packed into an archive each. So are the
// programs of reported, with and without their bug, after a minute and a half: none has collected garbage by then, so
// that no goroutine shows how long it has waited. The programs of everyday, which use well-known libraries, are a module
// of their own and are captured after three minutes and a half, when the runtime has collected garbage by itself.
//
//	go run ./driver -out ../../services
//	go run ./driver -reported -out ../../services
//	go run ./driver -everyday -out ../../services
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"net"
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

// A population is a list of programs and how they are captured.
type population struct {
	list     string
	dir      string   // of the command that runs them
	prefix   string   // of the archives' names
	releases []string // of Go, that they are built with: one names no more than the newest do
	twins    bool     // each has one without its bug, NAME-fixed
	gc       bool     // half of them collect garbage at their start
	age      time.Duration
	forms    []form // besides what SIGABRT prints
}

// A form is what is fetched from a program's pprof port, after a pause.
type form struct {
	file, path string
	pause      time.Duration
}

// older, younger and everyday are the populations: in the first and the third, waits of minutes are seen by the time of
// the capture.
var (
	older = population{
		list: "labels.tsv", dir: ".", releases: []string{"go1.22.12", "go1.26.8"},
		gc: true, age: 5*time.Minute + 20*time.Second,
		forms: []form{
			{"debug2.txt", "goroutine?debug=2", 0},
			{"debug2-later.txt", "goroutine?debug=2", 10 * time.Second},
			{"debug1.txt", "goroutine?debug=1", 0},
		},
	}
	younger = population{
		list: "reported.tsv", dir: ".", releases: older.releases, prefix: "reported-", twins: true,
		age: 90 * time.Second,
		forms: []form{
			{"debug2.txt", "goroutine?debug=2", 0},
			{"debug1.txt", "goroutine?debug=1", 0},
			{"goroutine.pb.gz", "goroutine", 0},
		},
	}
	everyday = population{
		list: "everyday.tsv", dir: "everyday", releases: []string{"go1.24.9", "go1.26.8"}, prefix: "everyday-",
		age: 3*time.Minute + 30*time.Second,
		forms: []form{
			{"debug2.txt", "goroutine?debug=2", 0},
			{"debug2-later.txt", "goroutine?debug=2", 10 * time.Second},
			{"debug1.txt", "goroutine?debug=1", 0},
			{"goroutine.pb.gz", "goroutine", 0},
		},
	}
)

func main() {
	out := flag.String("out", "../../services", "folder of the archives")
	only := flag.String("only", "", "only services whose name holds one of these, separated by commas; nothing is packed")
	wait := flag.Duration("age", 0, "age at which services are captured, if another")
	reported := flag.Bool("reported", false, "the programs of reported")
	daily := flag.Bool("everyday", false, "the programs of everyday")
	flag.Parse()
	p := older
	switch {
	case *reported:
		p = younger
	case *daily:
		p = everyday
	}
	if *wait > 0 {
		p.age = *wait
	}
	if err := p.run(*out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func (p population) run(out, only string) error {
	names, err := p.names()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "services")
	if err != nil {
		return err
	}
	fmt.Println("captures are in", work)
	for _, r := range p.releases {
		build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(work, r), ".")
		build.Dir = p.dir
		build.Env = append(os.Environ(), "GOTOOLCHAIN="+r, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
		if text, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", r, err, text)
		}
	}
	var wg sync.WaitGroup
	for _, name := range names {
		for i, r := range p.releases {
			if !slices.ContainsFunc(strings.Split(only, ","), func(s string) bool { return strings.Contains(name, s) }) {
				continue
			}
			wg.Add(1)
			collect := p.gc && uint32(i) == hash(name)/2%2 // either release has services with minutes
			go func() {
				defer wg.Done()
				if err := p.capture(work, name, r, collect); err != nil {
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
	return p.pack(names, filepath.Join(work, "captures"), out)
}

// pack makes an archive of each half.
func (p population) pack(names []string, captures, out string) error {
	for i, half := range []string{"first", "second"} {
		archive, err := filepath.Abs(filepath.Join(out, p.prefix+half+".tar.xz"))
		if err != nil {
			return err
		}
		args := []string{
			"-C", captures,
			"--sort=name", "--owner=0", "--group=0", "--mtime=2026-01-01", "-cJf", archive,
		}
		for _, name := range names {
			if hash(name)%2 != uint32(i) {
				continue
			}
			for _, r := range p.releases { // files alone, no folders
				for _, form := range p.forms {
					args = append(args, filepath.Join(name, r, strings.TrimSuffix(form.file, ".gz")))
				}
				args = append(args, filepath.Join(name, r, "signal.txt"))
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

// hash decides the half that a name belongs to: even is the first. A twin is in the half of its bug.
func hash(name string) uint32 {
	h := fnv.New32a()
	io.WriteString(h, strings.TrimSuffix(name, "-fixed"))
	return h.Sum32()
}

// names are the programs of the list.
func (p population) names() (names []string, err error) {
	data, err := os.ReadFile(p.list)
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Split(string(data), "\n")[1:] {
		if name, _, ok := strings.Cut(line, "\t"); ok {
			if names = append(names, name); p.twins {
				names = append(names, name+"-fixed")
			}
		}
	}
	return names, nil
}

// capture runs a service, lets it grow old, and keeps what it shows.
func (p population) capture(work, name, release string, collect bool) error {
	dir := filepath.Join(work, "captures", name, release)
	tmp := filepath.Join(work, "tmp", name, release)
	for _, d := range []string{dir, tmp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	var output bytes.Buffer
	service, err := start(work, tmp, name, release, collect, &output)
	if err != nil {
		return err
	}
	defer syscall.Kill(-service.Pid, syscall.SIGKILL)
	time.Sleep(p.age)
	for _, f := range p.forms {
		time.Sleep(f.pause)
		if err := f.keep(service.port, dir); err != nil {
			return err
		}
	}
	if err := service.Signal(syscall.SIGABRT); err != nil {
		return err
	}
	<-service.ended
	return os.WriteFile(filepath.Join(dir, "signal.txt"), output.Bytes(), 0o644)
}

// A process is a service that runs.
type process struct {
	*os.Process
	ended chan error
	port  string
}

// start starts a service. The port that it is given may be another's by then: it is given one more.
func start(work, tmp, name, release string, collect bool, output *bytes.Buffer) (*process, error) {
	for range 5 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		address := l.Addr().String()
		l.Close()
		cmd := exec.CommandContext(context.Background(), filepath.Join(work, release), name)
		cmd.Stdout, cmd.Stderr, cmd.Dir, cmd.WaitDelay = output, output, tmp, 5*time.Second
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Env = []string{
			"GOMAXPROCS=4", "GOTRACEBACK=all", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "TMPDIR=" + tmp,
			"SERVICE_ADDR=" + address,
		}
		if collect {
			cmd.Env = append(cmd.Env, "SERVICE_GC=1")
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
			output.Reset()
		case <-time.After(3 * time.Second):
			return &process{cmd.Process, ended, "http://" + address + "/debug/pprof/"}, nil
		}
	}
	return nil, errors.New("no port is free")
}

// keep fetches a form and writes it to a folder, decompressed: so the archive of all is smaller.
func (f form) keep(port, dir string) error {
	answer, err := http.Get(port + f.path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	name, packed := strings.CutSuffix(f.file, ".gz")
	var r io.Reader = answer.Body
	if packed {
		if r, err = gzip.NewReader(r); err != nil {
			return err
		}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), data, 0o644)
}
