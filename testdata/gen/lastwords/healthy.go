package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"
)

func deadlineExceeded() error { return context.DeadlineExceeded }

func healthy() []program {
	h := func(name, service string, runs int, live func(l logger)) program {
		return program{name: name, namespace: "well", service: service, runs: runs, live: live}
	}
	reset := errors.New("read tcp 10.244.1.9:8080->10.244.3.3:41822: read: connection reset by peer")
	down := errors.New("dial tcp 10.96.14.7:5432: connect: connection refused")
	serve := func(l logger, n int) {
		for i := range n {
			l.info("request served", "path", "/v1/items", "status", 200, "bytes", 512+i)
		}
	}
	drained := func(l logger) {
		l.info("received signal, shutting down", "signal", "terminated")
		l.info("server stopped")
	}
	return []program{
		h("log-client-errors", "web", 1, func(l logger) {
			start(l, "web")
			for range 6 {
				serve(l, 4)
				l.failed(reset, "http: response.Write")
			}
			serve(l, 1)
		}),
		h("log-cut", "web", 1, func(l logger) { start(l, "web"); serve(l, 20); l.failed(reset, "http: proxy error") }),
		h("slogtext-drained", "web", 0, func(l logger) { start(l, "web"); serve(l, 9); l.failed(down, "fetch prices"); drained(l) }),
		h("slogtext-retry", "web", 1, func(l logger) {
			start(l, "web")
			for range 12 {
				l.failed(down, "connect to the database, trying again in 5s")
			}
		}),
		h("slogjson-midway", "web", 1, func(l logger) { start(l, "web"); l.failed(down, "fetch prices"); serve(l, 9) }),
		h("slogjson-rollout", "web", 0, func(l logger) { start(l, "web"); serve(l, 9); l.failed(reset, "write response"); drained(l) }),
		h("zapjson-client-gone", "web", 1, func(l logger) { start(l, "web"); serve(l, 7); l.failed(reset, "write response") }),
		h("zapjson-shutdown", "web", 0, func(l logger) {
			start(l, "web")
			serve(l, 3)
			l.info("received signal, shutting down", "signal", "terminated")
			l.failed(errors.New("http: Server closed"), "http server ended")
		}),
		h("zapconsole-reconcile-error", "operator", 1, func(l logger) {
			start(l, "operator")
			for range 5 {
				l.info("reconciling", "name", "web")
				l.failed(down, "Reconciler error")
			}
			l.info("reconciling", "name", "web")
		}),
		h("zapconsole-cut", "operator", 1, func(l logger) {
			start(l, "operator")
			for range 5 {
				l.info("reconciling", "name", "web")
				l.failed(down, "Reconciler error")
			}
		}),
		h("zerolog-recovered", "web", 1, func(l logger) {
			start(l, "web")
			for range 3 {
				l.failed(down, "database is away")
			}
			l.info("database is back")
			serve(l, 5)
		}),
		h("zerolog-drained", "web", 0, func(l logger) { start(l, "web"); serve(l, 5); drained(l) }),
		h("logrustext-retry", "web", 1, func(l logger) {
			for range 9 { // the log was read with --tail: its first line is not the process's
				l.info("connecting to the database", "addr", "10.96.14.7:5432")
				l.failed(down, "no connection")
			}
		}),
		h("logrustext-rollout", "web", 0, func(l logger) { start(l, "web"); serve(l, 5); l.failed(context.Canceled, "watch ended"); drained(l) }),
		h("logrusjson-cut", "web", 1, func(l logger) { start(l, "web"); serve(l, 5); l.failed(context.DeadlineExceeded, "GET /v1/quotes") }),
		h("logrusjson-midway", "web", 1, func(l logger) { start(l, "web"); l.failed(down, "fetch prices"); serve(l, 9) }),
		h("klog-conflicts", "operator", 1, func(l logger) {
			start(l, "operator")
			for range 7 {
				l.info("Syncing", "deployment", "shop/web")
				l.failed(errors.New(`Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`), "Sync failed")
			}
		}),
		h("klog-drained", "operator", 0, func(l logger) { start(l, "operator"); l.failed(down, "list failed"); serve(l, 3); drained(l) }),
		h("cobra-usage", "tool", 1, func(logger) {
			c := &cobra.Command{Use: "tool", Short: "Copies what a queue holds; exits with an error where it is away"}
			c.AddCommand(&cobra.Command{Use: "copy", Short: "copy; fails with permission denied without a token", Run: func(*cobra.Command, []string) {}})
			c.SetOut(os.Stdout)
			c.SetArgs([]string{"--help"})
			must(c.Execute())
		}),
		h("cobra-version", "tool", 0, func(l logger) { start(l, "tool"); serve(l, 2); l.info("copied 2 items, done") }),
	}
}
