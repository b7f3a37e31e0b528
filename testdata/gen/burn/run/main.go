package run

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"
)

// Main is the command: it runs the kind that the arguments name and returns the exit status.
//
//	burn KIND --seconds S --out FILE [--profile cpu] [--debug 1]
//	burn list
func Main(args []string, kinds []Kind, peers map[string]Peer) int {
	if len(args) == 1 && args[0] == "list" {
		List(os.Stdout, kinds)
		return 0
	}
	if len(args) == 2 && args[0] == "peer" {
		return fail(servePeer(peers[args[1]]))
	}
	if len(args) == 0 {
		return fail(fmt.Errorf("usage: burn KIND --seconds S --out FILE"))
	}
	flags := flag.NewFlagSet("burn", flag.ContinueOnError)
	seconds := flags.Float64("seconds", 4, "CPU seconds that the profile covers; seconds by the clock for what is idle, or measures none")
	out := flags.String("out", "", "file for the profile")
	profile := flags.String("profile", "", "cpu, heap, allocs, mutex, block or goroutine instead of the kind's own")
	level := flags.Int("debug", 0, "1 for the text form")
	if err := flags.Parse(args[1:]); err != nil {
		return 2
	}
	for _, k := range kinds {
		if k.Name == args[0] {
			if *profile != "" {
				k.Profile = *profile
			}
			return fail(capture(k, time.Duration(*seconds*float64(time.Second)), *out, *level))
		}
	}
	return fail(fmt.Errorf("no kind %s", args[0]))
}

func fail(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "burn:", err)
	return 1
}

// servePeer runs one end of a connection until the other process closes its standard input.
func servePeer(p Peer) error {
	if p == nil {
		return fmt.Errorf("no such peer")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go func() {
		var b [1]byte
		os.Stdin.Read(b[:])
		os.Exit(0)
	}()
	return p(l)
}

// capture runs k and writes its profile.
func capture(k Kind, length time.Duration, out string, level int) error {
	time.AfterFunc(10*length+30*time.Second, func() {
		fmt.Fprintln(os.Stderr, "burn: took too long")
		os.Exit(3)
	})
	switch k.Profile {
	case "mutex":
		runtime.SetMutexProfileFraction(10)
	case "block":
		runtime.SetBlockProfileRate(int(10 * time.Microsecond))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &Service{ctx: ctx, failed: make(chan error, 1)}
	defer s.close()
	if err := k.Start(s); err != nil {
		return fmt.Errorf("starting %s: %w", k.Name, err)
	}
	if k.Profile == "cpu" {
		if !k.Lean {
			s.kept = make([]byte, keptBytes)
		}
		return s.captureCPU(k, length, out)
	}
	s.begin()
	for shot := 1; shot <= k.Shots || shot == 1; shot++ {
		if err := s.wait(length, true); err != nil {
			return err
		}
		if err := write(k.Profile, shotName(out, k.Shots, shot), level); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) captureCPU(k Kind, length time.Duration, out string) error {
	runtime.GC()
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	s.begin()
	if k.Idle {
		length *= 3 // so that a few samples come of it
	}
	if err := s.wait(length, k.Idle); err != nil {
		return err
	}
	pprof.StopCPUProfile()
	return f.Close()
}

// shotName is heap-1.pb.gz for the first of several snapshots.
func shotName(out string, shots, shot int) string {
	if shots < 2 {
		return out
	}
	base, ext, _ := strings.Cut(filepath.Base(out), ".")
	return filepath.Join(filepath.Dir(out), fmt.Sprintf("%s-%d.%s", base, shot, ext))
}

func write(profile, out string, level int) error {
	if profile == "heap" {
		// The heap profile is that of the last collection but one.
		runtime.GC()
		runtime.GC()
		debug.SetGCPercent(-1)
		defer debug.SetGCPercent(100)
	}
	p := pprof.Lookup(profile)
	if p == nil {
		return fmt.Errorf("no profile %s", profile)
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := p.WriteTo(f, level); err != nil {
		return err
	}
	return f.Close()
}

// wait returns when the process has used length of CPU time, or after that time by the clock. A machine that does other things too
// gets four times as long by the clock.
func (s *Service) wait(length time.Duration, byClock bool) error {
	start, used := time.Now(), cpuTime()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-s.failed:
			return err
		case <-tick.C:
		}
		since := time.Since(start)
		if since >= length && (byClock || cpuTime()-used >= length) || since >= 4*length {
			return nil
		}
	}
}

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
