// Command driver builds the services, runs each, puts it under the load that it asks for, captures it, and packs the
// captures of each half into one archive.
//
//	go run ./driver -out ../../wild/busy           # everything: about half an hour
//	go run ./driver -halves full -out ../../mills  # those at a full core, one at a time
//	go run ./driver -only "^quote-" -keep DIR      # some, as folders
//	go run ./driver -only - -keep DIR -out ../../wild/busy   # packs what is there
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// At most so many services run side by side: they take CPU from each other.
const sideBySide = 2

// fullCore is the half of the services that are to have a core each.
const fullCore = "full"

// A CPU profile is long enough when it has so many samples, which take a hundredth of a second each.
const enoughSamples = 250

// A program is a record of labels.yaml, as far as the driver has to know it.
type program struct{ name, half, kind string }

func main() {
	only := flag.String("only", "", "only the services whose name matches this regular expression")
	keep := flag.String("keep", "", "folder that keeps the captures, one folder for each service")
	halves := flag.String("halves", "first,second", "the halves that are run and packed")
	out := flag.String("out", "", "folder for the archives; without it none is made")
	flag.Parse()
	if err := run(*only, *keep, *out, strings.Split(*halves, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(only, keep, out string, halves []string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	all, err := programs("labels.yaml")
	if err != nil {
		return err
	}
	temp := filepath.Join(os.TempDir(), "busy")
	if keep == "" {
		keep = filepath.Join(temp, "captures")
	}
	binary := filepath.Join(temp, "shop")
	if text, err := exec.Command("go", "build", "-trimpath", "-o", binary, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed []error
	slots := make(chan struct{}, sideBySide)
	if slices.Contains(halves, fullCore) {
		slots = make(chan struct{}, 1)
	}
	for _, p := range all {
		if !match.MatchString(p.name) || !slices.Contains(halves, p.half) {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := capture(binary, filepath.Join(keep, p.name), p); err != nil {
				fmt.Fprintln(os.Stderr, p.name, err)
				mu.Lock()
				failed = append(failed, fmt.Errorf("%s: %w", p.name, err))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if out != "" {
		for _, half := range halves {
			failed = append(failed, pack(all, keep, out, half))
		}
	}
	return errors.Join(failed...)
}

// programs reads the names of labels.yaml; every value is on the line of its key.
func programs(file string) (all []program, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "- name":
			all = append(all, program{name: value})
		case "half":
			all[len(all)-1].half = value
		case "kind":
			all[len(all)-1].kind = value
		}
	}
	return all, nil
}

// A service is a running program.
type service struct {
	cmd    *exec.Cmd
	addr   string
	errors bytes.Buffer
	ended  chan struct{}
}

// capture runs a program and keeps two dumps, profiles and what a signal prints.
func capture(binary, dir string, p program) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	defer stop()
	s, err := start(ctx, binary, p.name)
	if err != nil {
		return err
	}
	defer s.cmd.Process.Kill()
	if err := s.warm(ctx, p); err != nil {
		return err
	}
	if err := s.save(ctx, dir, "debug2.txt", "goroutine?debug=2"); err != nil {
		return err
	}
	if err := s.profile(ctx, dir); err != nil {
		return err
	}
	if err := s.save(ctx, dir, "debug2-later.txt", "goroutine?debug=2"); err != nil {
		return err
	}
	if err := s.save(ctx, dir, "heap.pb", "heap"); err != nil {
		return err
	}
	if err := s.cmd.Process.Signal(syscall.SIGABRT); err != nil {
		return err
	}
	<-s.ended
	return os.WriteFile(filepath.Join(dir, "signal.txt"), s.errors.Bytes(), 0o644)
}

// start runs a program and puts it under the load that it asks for.
func start(ctx context.Context, binary, name string) (*service, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	s := &service{cmd: exec.CommandContext(ctx, binary, name), addr: addr, ended: make(chan struct{})}
	s.cmd.Env = []string{"BUSY_ADDR=" + addr, "GOTRACEBACK=all", "GOMAXPROCS=4", "TMPDIR=" + os.TempDir()}
	s.cmd.Stderr = &s.errors
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as a daemon, which does not share the driver's CPU time
	lines, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		scanner := bufio.NewScanner(lines)
		for scanner.Scan() {
			load(ctx, s.ended, strings.Fields(scanner.Text()))
		}
		s.cmd.Wait()
		close(s.ended)
	}()
	return s, nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// load plays clients: "load URL clients pause body [new]". With new each request has a connection of its own.
func load(ctx context.Context, ended chan struct{}, f []string) {
	if len(f) < 5 || f[0] != "load" {
		return
	}
	clients, _ := strconv.Atoi(f[2])
	pause, _ := strconv.Atoi(f[3])
	size, _ := strconv.Atoi(f[4])
	body := bytes.Repeat([]byte("order invoice "), size/14+1)[:size]
	client := &http.Client{Timeout: 4 * time.Second, Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: len(f) > 5, MaxIdleConnsPerHost: clients,
	}}
	for range clients {
		go func() {
			for {
				select {
				case <-ended:
					return
				case <-ctx.Done():
					return
				case <-time.After(time.Duration(pause) * time.Millisecond):
				}
				method, content := "GET", io.Reader(nil)
				if size > 0 {
					method, content = "POST", bytes.NewReader(body)
				}
				r, err := http.NewRequestWithContext(ctx, method, f[1], content)
				if err != nil {
					return
				}
				answer, err := client.Do(r)
				if err != nil {
					continue
				}
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}()
	}
}

// warm waits until a program shows what it is: what grows until it has 130 MB, all others for some seconds.
func (s *service) warm(ctx context.Context, p program) error {
	deadline := time.Now().Add(5 * time.Second)
	if p.kind == "heap" {
		deadline = time.Now().Add(60 * time.Second)
	}
	for time.Now().Before(deadline) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ended:
			return fmt.Errorf("it ended: %s", s.errors.Bytes()[:min(s.errors.Len(), 500)])
		case <-time.After(200 * time.Millisecond):
		}
		if p.kind == "heap" && s.resident() > 160<<20 {
			return nil
		}
	}
	return nil
}

// resident is how much memory the process has, in bytes.
func (s *service) resident() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(text))
	pages, _ := strconv.Atoi(f[1])
	return pages * os.Getpagesize()
}

// profile takes a CPU profile with enough samples. What grows is given less time.
func (s *service) profile(ctx context.Context, dir string) error {
	for _, seconds := range []int{8, 20} {
		if s.resident() > 300<<20 {
			seconds = 3
		}
		before := s.cpu()
		if err := s.save(ctx, dir, "cpu.pb", fmt.Sprintf("profile?seconds=%d", seconds)); err != nil {
			return err
		}
		if s.cpu()-before >= enoughSamples || s.resident() > 300<<20 {
			return nil
		}
	}
	return nil
}

// cpu is the CPU time that the process has used, in hundredths of a second.
func (s *service) cpu() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(rest)
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return user + system
}

// save keeps what a path of the pprof port answers; profiles without their compression.
func (s *service) save(ctx context.Context, dir, file, path string) error {
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.addr+"/debug/pprof/"+path, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if strings.HasSuffix(file, ".pb") {
		if data, err = inflate(data); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, file), data, 0o644)
}
