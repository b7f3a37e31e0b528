package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// repository copies this repository's Go files, which tools work on.
func (l *lab) repository() (string, error) {
	from, err := filepath.Abs(l.repo)
	if err != nil {
		return "", err
	}
	to := filepath.Join(l.dir, "repo")
	return to, filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(from, path)
		_, module := os.Stat(filepath.Join(path, "go.mod"))
		switch {
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || name != "." && module == nil):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") && name != "go.mod" && name != "go.sum" && !strings.HasSuffix(name, ".bin"):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		l.file(filepath.Join("repo", name), string(data))
		return nil
	})
}

// goEnv is the environment that tools need which load packages.
func goEnv() []string {
	home, _ := os.UserHomeDir()
	return []string{"env:GOMODCACHE=" + filepath.Join(home, "go/pkg/mod"), "env:GOCACHE=" + filepath.Join(home, ".cache/go-build"), "env:GOPROXY=off"}
}

// staticcheck runs twice over this repository: to its end with profiles, and into the signal.
func staticcheck(ctx context.Context, l *lab) error {
	repo, err := l.repository()
	if err != nil {
		return err
	}
	args := append(goEnv(), "env:PWD="+repo)
	l.written = map[string]string{"cpu.pb.gz": l.dir + "/cpu", "heap.pb.gz": l.dir + "/heap"}
	l.work = repo
	first, err := l.start(l.bin, append(args, "env:STATICCHECK_CACHE="+l.dir+"/c1", "-debug.cpuprofile="+l.dir+"/cpu", "-debug.memprofile="+l.dir+"/heap", "./...")...)
	if err != nil {
		return err
	}
	select {
	case <-first.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	l.age = 15 * time.Second
	return l.serve(append(args, "env:STATICCHECK_CACHE="+l.dir+"/c2", "./...")...)
}

// wazero runs a program that computes. Only a build from its own tree has the flag for profiles.
func wazero(ctx context.Context, l *lab) error {
	l.file("wasm/main.go", `package main

import "fmt"

func sieve(n int) int {
	composite, count := make([]bool, n), 0
	for i := 2; i < n; i++ {
		if composite[i] {
			continue
		}
		count++
		for k := i * i; k < n; k += i {
			composite[k] = true
		}
	}
	return count
}

func main() {
	for i := range 600 {
		fmt.Println(sieve(3_000_000 + i))
	}
}
`)
	l.file("wasm/go.mod", "module lab\n\ngo 1.26\n")
	l.work = l.dir + "/wasm"
	if err := l.once(ctx, "/usr/local/go/bin/go", append(goEnv(), "env:GOOS=wasip1", "env:GOARCH=wasm", "build", "-o", l.dir+"/lab.wasm", ".")...); err != nil {
		return err
	}
	l.age = 20 * time.Second
	return l.serve("run", l.dir+"/lab.wasm")
}

// gopls works for a small client that opens this repository, asks and edits.
func gopls(ctx context.Context, l *lab) error {
	repo, err := l.repository()
	if err != nil {
		return err
	}
	address := l.port()
	l.pprof = l.port()
	if err := l.serve(append(goEnv(), "serve", "-listen="+address, "-debug="+l.pprof)...); err != nil {
		return err
	}
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	c, err := conn(ctx, "tcp", address)
	if err != nil {
		return err
	}
	session := &editor{c: c, answers: map[int64]chan struct{}{}}
	l.wg.Go(func() { session.read() })
	session.call(ctx, "initialize", map[string]any{"processId": nil, "rootUri": "file://" + repo, "capabilities": map[string]any{}})
	session.notify("initialized", map[string]any{})
	files, err := filepath.Glob(repo + "/*/*.go")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no files in %s: %w", repo, err)
	}
	document := func(i int) map[string]any { return map[string]any{"uri": "file://" + files[i%len(files)]} }
	text := make([]string, 8)
	for i := range text {
		data, err := os.ReadFile(files[i])
		if err != nil {
			return err
		}
		text[i] = string(data)
		session.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "file://" + files[i], "languageId": "go", "version": 1, "text": text[i]}})
	}
	l.every(ctx, 2, 300*time.Millisecond, func(ctx context.Context, worker, i int) {
		at := map[string]any{"textDocument": document(i % 8), "position": map[string]any{"line": 10 + i%60, "character": 6}}
		session.call(ctx, "textDocument/hover", at)
		at["context"] = map[string]any{"includeDeclaration": true}
		session.call(ctx, "textDocument/references", at)
	})
	l.every(ctx, 1, 2*time.Second, func(ctx context.Context, worker, i int) {
		changed := document(i % 8)
		changed["version"] = 2 + i
		session.notify("textDocument/didChange", map[string]any{"textDocument": changed, "contentChanges": []any{map[string]any{"text": text[i%8] + fmt.Sprintf("\n// edit %d\nfunc labEdit%d() {}\n", i, i)}}})
	})
	return nil
}

// An editor is the client of a language server, as small as it can be: what answers say is dropped, and questions of the
// server are answered with nothing.
type editor struct {
	mu      sync.Mutex
	c       net.Conn
	id      int64
	answers map[int64]chan struct{} // closed when the answer is there
}

// call asks and waits for the answer, as people at an editor do: questions never pile up.
func (e *editor) call(ctx context.Context, method string, params any) {
	answered := make(chan struct{})
	e.mu.Lock()
	e.id++
	id := e.id
	e.answers[id] = answered
	e.mu.Unlock()
	e.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	select {
	case <-answered:
	case <-ctx.Done():
	}
}

// answered notes that an answer is there.
func (e *editor) answered(id int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.answers[id]; c != nil {
		close(c)
		delete(e.answers, id)
	}
}

func (e *editor) notify(method string, params any) {
	e.write(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

func (e *editor) write(message any) {
	data, err := json.Marshal(message)
	e.mu.Lock()
	defer e.mu.Unlock()
	if err == nil {
		fmt.Fprintf(e.c, "Content-Length: %d\r\n\r\n%s", len(data), data)
	}
}

func (e *editor) read() {
	for r := bufio.NewReader(e.c); ; {
		size := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			fmt.Sscanf(line, "Content-Length: %d", &size)
			if line == "\r\n" {
				break
			}
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var question struct {
			ID     any
			Method string
			Params struct{ Items []any }
		}
		if json.Unmarshal(body, &question) != nil {
			continue
		}
		if id, ok := question.ID.(float64); ok && question.Method == "" {
			e.answered(int64(id))
		}
		if question.ID != nil && question.Method != "" {
			var result any
			if question.Method == "workspace/configuration" {
				result = make([]any, len(question.Params.Items))
			}
			e.write(map[string]any{"jsonrpc": "2.0", "id": question.ID, "result": result})
		}
	}
}

// relaySession joins a relay as a device, stays for a moment, and goes.
func relaySession(ctx context.Context, address string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return
	}
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"bep-relay"},
		Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}}}
	c, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return
	}
	defer c.Close()
	c.Write([]byte{0x9e, 0x79, 0xbc, 0x40, 0, 0, 0, 2, 0, 0, 0, 0}) // magic, JoinRelayRequest, no body
	c.SetReadDeadline(time.Now().Add(8 * time.Second))
	io.Copy(io.Discard, c)
}
