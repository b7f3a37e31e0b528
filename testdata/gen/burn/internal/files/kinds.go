// Package files asks the file system more often than it should.
package files

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		hot("small-writes", "a write of a few bytes for every item", `^os\.\(\*File\)\.Write(String)?$`, "(*Journal).add", startJournal),
		hot("small-reads", "a read of a few bytes for every item", `^os\.\(\*File\)\.Read(At)?$`, "(*Table).row", startTable),
		hot("stat-loop", "files asked for changes on every call", `^os\.Stat$`, "(*Config).changed", startConfig),
		hot("readfile-loop", "a file read on every call", `^os\.ReadFile$`, "(*Gateway).token", startGateway),
	}
}

func hot(name, topic, guilty, culprit string, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: run.Own("files", culprit), Category: "hot-cpu", Start: start,
	}
}

func folder(s *run.Service) (string, error) {
	dir, err := os.MkdirTemp("", "service")
	if err == nil {
		s.Defer(func() { os.RemoveAll(dir) })
	}
	return dir, err
}

// A Journal has a line for each item, written at once.
type Journal struct{ file *os.File }

func startJournal(s *run.Service) error {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	j := &Journal{file: f}
	s.Reconcile(1, j.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (j *Journal) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 500; i++ {
		if err := j.add(key); err != nil {
			return err
		}
	}
	return nil
}

func (j *Journal) add(line string) error {
	_, err := j.file.WriteString(line)
	return err
}

// A Table is read row by row.
type Table struct {
	file *os.File
	sum  int
}

func startTable(s *run.Service) error {
	dir, err := folder(s)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "table")
	if err := os.WriteFile(name, make([]byte, 1<<16), 0o600); err != nil {
		return err
	}
	t := &Table{}
	if t.file, err = os.Open(name); err != nil {
		return err
	}
	s.Reconcile(1, t.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (t *Table) Reconcile(ctx context.Context, key string) error {
	for i := int64(0); i < 500; i++ {
		n, err := t.row(i)
		if err != nil {
			return err
		}
		t.sum += n
	}
	return nil
}

func (t *Table) row(i int64) (int, error) {
	var b [8]byte
	_, err := t.file.ReadAt(b[:], i*8)
	return int(b[0]), err
}

// A Config looks whether its files have changed.
type Config struct {
	files []string
	sizes map[string]int64
}

func startConfig(s *run.Service) error {
	dir, err := folder(s)
	if err != nil {
		return err
	}
	c := &Config{sizes: map[string]int64{}}
	for i := 0; i < 20; i++ {
		name := filepath.Join(dir, fmt.Sprint("part-", i, ".yaml"))
		if err := os.WriteFile(name, []byte("a: b\n"), 0o600); err != nil {
			return err
		}
		c.files = append(c.files, name)
	}
	s.Reconcile(1, c.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (c *Config) Reconcile(ctx context.Context, key string) error {
	for _, name := range c.files {
		if _, err := c.changed(name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) changed(name string) (bool, error) {
	info, err := os.Stat(name)
	if err != nil {
		return false, err
	}
	old := c.sizes[name]
	c.sizes[name] = info.Size()
	return old != info.Size(), nil
}

// A Gateway reads its token for every call that it passes on.
type Gateway struct{ file string }

func startGateway(s *run.Service) error {
	dir, err := folder(s)
	if err != nil {
		return err
	}
	g := &Gateway{file: filepath.Join(dir, "token")}
	if err := os.WriteFile(g.file, make([]byte, 1200), 0o600); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/pass", g.handle)
	return s.Serve(mux, 1, "/pass")
}

func (g *Gateway) handle(w http.ResponseWriter, r *http.Request) {
	n := 0
	for i := 0; i < 60; i++ {
		token, err := g.token()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		n += len(token)
	}
	fmt.Fprintln(w, n)
}

func (g *Gateway) token() (string, error) {
	text, err := os.ReadFile(g.file)
	return string(text), err
}
