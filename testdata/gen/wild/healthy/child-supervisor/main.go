// Command child-supervisor keeps the daemons of a machine running: it starts them and starts them again when they end.
package main

import (
	"context"
	"log"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"wild/kit"
)

type unit struct {
	name string
	args []string
}

// keep runs a unit for as long as the supervisor runs.
func (u unit) keep(ctx context.Context) {
	for ctx.Err() == nil {
		cmd := exec.CommandContext(ctx, u.name, u.args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		err := cmd.Run()
		log.Printf("%s ended: %v", u.name, err)
		time.Sleep(time.Second)
	}
}

// report runs a short command and reads what it prints.
func report(ctx context.Context) {
	for range time.Tick(30 * time.Second) {
		out, err := exec.CommandContext(ctx, "date").Output()
		if err != nil {
			log.Print(err)
			continue
		}
		log.Printf("%s", out)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	for i := 0; i < 12; i++ {
		go unit{"sleep", []string{"1800"}}.keep(ctx)
	}
	go report(ctx)
	<-ctx.Done()
}
