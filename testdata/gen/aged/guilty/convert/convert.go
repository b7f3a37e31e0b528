// Package convert: a child leaves a helper behind that keeps its output open, so that Run never returns.
package convert

import (
	"bytes"
	"context"
	"net/http"
	"os/exec"
	"time"

	"aged/kit"
)

type converter struct{ timeout time.Duration }

func (c *converter) run(ctx context.Context, script string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", script)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func (c *converter) serve(script string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out, err := c.run(r.Context(), script)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Write([]byte(out))
	}
}

// Main serves it.
func Main() {
	c := &converter{20 * time.Second}
	mux := http.NewServeMux()
	mux.HandleFunc("/pdf", c.serve("echo 12 pages"))
	mux.HandleFunc("/office", c.serve("sleep 10000 & echo 3 pages")) // its helper is there for the next one
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 3*time.Second, "/pdf", "/healthz")
	go kit.Visit(address, 40*time.Second, "/office")
	kit.Wait()
}
