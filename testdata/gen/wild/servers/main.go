// Command servers captures the real servers and tools of servers.tsv: it installs each, starts it on 127.0.0.1, keeps
// it at work, and keeps what a person on call could collect from it.
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
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/capture"
)

func main() { capture.Main("servers", run) }

func run(ctx context.Context) error {
	repo := flag.String("repo", "../../../..", "this repository, on which some tools work")
	list := flag.String("list", "../servers.tsv", "the list of servers")
	cache := flag.String("cache", filepath.Join(os.TempDir(), "triage-wild", "servers"),
		"folder for what is installed, which is used again")
	install := flag.Bool("install", false, "only install")
	age := flag.Duration("age", 75*time.Second, "how long a server works before it is captured")
	light := flag.Bool("light", false, "a call every second or so instead of the load of the list")
	forms := flag.String("forms", "", "only these of the forms of the list: \"debug2 signal\"")
	atOnce := flag.Int("at-once", 2, "servers that run at a time")
	options, err := capture.ParseFlags("servers", "../../../wild")
	if err != nil {
		return err
	}
	rows, err := readServers(*list)
	if err != nil {
		return err
	}
	var work capture.Work
	slots := make(chan bool, *atOnce)
	for _, row := range rows {
		play := plays[row.name]
		if *forms != "" {
			row.forms = slices.DeleteFunc(row.forms, func(f string) bool { return !slices.Contains(strings.Fields(*forms), f) })
		}
		switch {
		case !options.Only.MatchString(row.name):
			continue
		case play == nil:
			work.Fail(row.name, errors.New("not played yet"))
			continue
		}
		bin, err := row.ready(ctx, *cache)
		if err != nil {
			work.Fail(row.name, err)
			continue
		}
		if *install {
			continue
		}
		slots <- true
		work.Go(row.name, func() error {
			defer func() { <-slots }()
			l := &lab{row: row, bin: bin, repo: *repo, cache: *cache, triage: options.Triage, age: *age, light: *light}
			err := l.capture(ctx, play, filepath.Join(options.Out, row.name))
			if err != nil {
				fmt.Fprintf(os.Stderr, "servers: %s: %v\n", row.name, err)
			}
			return err
		})
	}
	return work.Wait()
}
