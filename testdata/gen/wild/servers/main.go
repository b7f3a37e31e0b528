// Command servers captures the real servers and tools of servers.tsv: it installs each, starts it on 127.0.0.1, keeps it
// at work, and keeps what a person on call could collect from it.
//
//	go run . -out ../../../wild -only '^etcd' -triage ../../../../bin/triage
//
// It never looks at what triage makes of a capture: servers.tsv, which says that all of it is healthy, is older than
// every capture.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	out := flag.String("out", "../../../wild", "folder for the captures")
	repo := flag.String("repo", "../../../..", "this repository, on which some tools work")
	list := flag.String("list", "../servers.tsv", "the list of servers")
	cache := flag.String("cache", filepath.Join(os.TempDir(), "triage-wild", "servers"), "folder for what is installed, which is used again")
	triage := flag.String("triage", "", "a triage binary for the form `fetch`; without it that form is left out")
	only := flag.String("only", "", "only the servers whose name matches this regular expression")
	install := flag.Bool("install", false, "only install")
	age := flag.Duration("age", 75*time.Second, "how long a server works before it is captured")
	atOnce := flag.Int("at-once", 2, "servers that run at a time")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if *triage != "" {
		if *triage, err = filepath.Abs(*triage); err != nil {
			return err
		}
	}
	rows, err := readServers(*list)
	if err != nil {
		return err
	}
	var (
		mu   sync.Mutex
		errs []error
		wg   sync.WaitGroup
	)
	slots := make(chan bool, *atOnce)
	for _, row := range rows {
		play := plays[row.name]
		switch {
		case !match.MatchString(row.name):
			continue
		case play == nil:
			errs = append(errs, fmt.Errorf("%s: not played yet", row.name))
			continue
		}
		bin, err := row.ready(ctx, *cache)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", row.name, err))
			continue
		}
		if *install {
			continue
		}
		slots <- true
		wg.Go(func() {
			defer func() { <-slots }()
			l := &lab{row: row, bin: bin, repo: *repo, cache: *cache, triage: *triage, age: *age}
			if err := l.capture(ctx, play, filepath.Join(*out, "servers", row.name+".tar.xz")); err != nil {
				fmt.Fprintf(os.Stderr, "servers: %s: %v\n", row.name, err)
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, fmt.Errorf("%s: %w", row.name, err))
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
