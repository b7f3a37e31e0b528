// Package supervise: a program that keeps processes running and copies what they print.
package supervise

import (
	"bufio"
	"context"
	"log"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

type unit struct{ name, command string }

func (u unit) keep(ctx context.Context) {
	for ctx.Err() == nil {
		if err := u.once(ctx); err != nil {
			log.Printf("%s: %v", u.name, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
}

func (u unit) once(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", u.command)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	for s := bufio.NewScanner(out); s.Scan(); {
		log.Printf("%s: %s", u.name, s.Text())
	}
	return cmd.Wait()
}

// Main is the program.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	var wg sync.WaitGroup
	for _, u := range []unit{
		{"server", "echo listening; exec sleep 86400"},
		{"beat", "while true; do echo beat; sleep 60; done"},
		{"task", "sleep 30; echo done"},
	} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			u.keep(ctx)
		}()
	}
	// A daemon that prints nothing.
	wg.Add(1)
	go func() {
		defer wg.Done()
		cmd := exec.CommandContext(ctx, "sleep", "86400")
		if err := cmd.Run(); err != nil {
			log.Print(err)
		}
	}()
	wg.Wait()
}
