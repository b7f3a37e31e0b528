package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// caddy is a file server and a reverse proxy in front of a slow backend.
func caddy(ctx context.Context, l *lab) error {
	l.abort = true // it ends by itself at SIGQUIT
	l.pprof = l.port()
	web := l.port()
	backend := l.backend(ctx, slow(300*time.Millisecond, 1024))
	for i := range 20 {
		l.file(fmt.Sprintf("site/%d.html", i), strings.Repeat("<p>lab lab lab</p>\n", 100<<(i%8)))
	}
	files := map[string]any{"handler": "file_server", "root": l.dir + "/site"}
	proxy := map[string]any{"handler": "reverse_proxy", "upstreams": []any{map[string]any{"dial": backend}}}
	server := map[string]any{"listen": []string{web}}
	handle := []any{files}
	if l.row.name == "caddy-new" {
		handle = []any{map[string]any{"handler": "encode", "encodings": map[string]any{"gzip": map[string]any{}, "zstd": map[string]any{}}}, files}
		server["protocols"] = []string{"h1", "h2c"}
	}
	server["routes"] = []any{
		map[string]any{"match": []any{map[string]any{"path": []string{"/api/*"}}}, "handle": []any{proxy}},
		map[string]any{"handle": handle},
	}
	config, err := json.Marshal(map[string]any{
		"admin": map[string]any{"listen": l.pprof},
		"apps":  map[string]any{"http": map[string]any{"servers": map[string]any{"lab": server}}},
	})
	if err != nil {
		return err
	}
	if err := l.serve("run", "--config", l.file("caddy.json", string(config))); err != nil {
		return err
	}
	if err := l.opens(ctx, web); err != nil {
		return err
	}
	l.idle(ctx, 30, web)
	l.browse(ctx, web)
	if l.row.name == "caddy-new" {
		clear := new(http.Protocols)
		clear.SetUnencryptedHTTP2(true)
		h2 := &http.Client{Transport: &http.Transport{Protocols: clear}}
		l.every(ctx, 10, 100*time.Millisecond, func(ctx context.Context, _, i int) {
			send(ctx, h2, "GET", fmt.Sprintf("http://%s/%d.html", web, i%20), "", "Accept-Encoding: gzip")
		})
	}
	return nil
}

// browse reads pages over kept and fresh connections, and a path /api.
func (l *lab) browse(ctx context.Context, web string) {
	l.every(ctx, 8, 50*time.Millisecond, func(ctx context.Context, _, i int) {
		send(ctx, keepAlive, "GET", fmt.Sprintf("http://%s/%d.html", web, i%20), "", "Accept-Encoding: zstd, gzip")
	})
	l.every(ctx, 4, 100*time.Millisecond, func(ctx context.Context, _, i int) {
		send(ctx, fresh, "GET", fmt.Sprintf("http://%s/%d.html", web, i%20), "")
	})
	l.every(ctx, 20, 100*time.Millisecond, func(ctx context.Context, _, i int) {
		send(ctx, keepAlive, "POST", "http://"+web+"/api/x", strings.Repeat("body ", 50))
	})
}

// resolver asks one server.
func resolver(network, address string) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}
}

// ask queries known and unknown names by udp and tcp.
func (l *lab) ask(ctx context.Context, address string, workers int, interval time.Duration) {
	udp, tcp := resolver("udp", address), resolver("tcp", address)
	l.every(ctx, workers, interval, func(ctx context.Context, worker, i int) {
		r := udp
		if worker%4 == 3 {
			r = tcp
		}
		r.LookupHost(ctx, fmt.Sprintf("h%d.lab.test.", i%200))
	})
}

// zone is a zone with a hundred of the names that are asked for.
func zone() string {
	var b strings.Builder
	b.WriteString("$ORIGIN lab.test.\n@ 60 IN SOA ns.lab.test. root.lab.test. 1 60 60 60 60\n@ 60 IN NS ns.lab.test.\nns 60 IN A 127.0.0.1\n")
	for i := range 100 {
		fmt.Fprintf(&b, "h%d 60 IN A 10.0.0.%d\n", i, i)
	}
	return b.String()
}

// coredns serves a zone with most of the plugins that a cluster uses, and reloads its Corefile.
func coredns(ctx context.Context, l *lab) error {
	l.abort = true // as caddy, of which it was made
	l.pprof = l.port()
	address := l.port()
	_, port := parts(address)
	corefile := func(n int) string {
		return fmt.Sprintf("lab.test:%s {\n bind 127.0.0.1\n file %s\n cache 30\n loadbalance\n prometheus %s\n reload 2s 1s\n # %d\n pprof %s {\n block 1\n }\n}\n.:%s {\n bind 127.0.0.1\n hosts {\n 127.0.0.1 lab.internal\n }\n}\n",
			port, l.file("lab.zone", zone()), l.port(), n, l.pprof, port)
	}
	file := l.file("Corefile", corefile(0))
	if err := l.serve("-conf", file); err != nil {
		return err
	}
	l.wg.Go(func() {
		if wait(ctx, 40*time.Second) {
			l.file("Corefile", corefile(1))
		}
	})
	l.ask(ctx, address, 12, 2*time.Millisecond)
	return l.opens(ctx, l.pprof)
}

// dnsproxy forwards to a coredns that the lab has built.
func dnsproxy(ctx context.Context, l *lab) error {
	l.pprof = "127.0.0.1:6060"
	address, upstream := l.port(), l.port()
	host, port := parts(address)
	_, up := parts(upstream)
	corefile := l.file("Corefile", fmt.Sprintf("lab.test:%s {\n bind 127.0.0.1\n file %s\n}\n", up, l.file("lab.zone", zone())))
	if _, err := l.start(filepath.Join(l.cache, "bin", "coredns"), "-conf", corefile); err != nil {
		return err
	}
	if err := l.serve("-l", host, "-p", port, "-u", upstream, "--pprof"); err != nil {
		return err
	}
	l.ask(ctx, address, 12, 4*time.Millisecond)
	return l.opens(ctx, l.pprof)
}

// chisel is the server of a local, a reverse and a socks tunnel.
func chisel(ctx context.Context, l *lab) error {
	l.pprof = "127.0.0.1:6060"
	address := l.port()
	host, port := parts(address)
	forward, reverse, socks := l.port(), l.port(), l.port()
	backend := l.backend(ctx, slow(50*time.Millisecond, 16<<10))
	if err := l.serve("server", "--host", host, "--port", port, "--reverse", "--socks5"); err != nil {
		return err
	}
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	client := filepath.Join(l.cache, "bin", "chisel-client") // without the tag: both would open the port of pprof
	if err := buildModule(ctx, filepath.Join(l.cache, "mod", "chisel"), client, "github.com/jpillora/chisel@v1.10.1", ""); err != nil {
		return err
	}
	if _, err := l.start(client, "client", "http://"+address, forward+":"+backend, "R:"+reverse+":"+backend, socks+":socks"); err != nil {
		return err
	}
	if err := l.opens(ctx, forward); err != nil {
		return err
	}
	l.every(ctx, 10, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		client := keepAlive
		if worker%2 == 0 {
			client = fresh
		}
		send(ctx, client, "GET", "http://"+[]string{forward, reverse}[i%2]+"/", "")
	})
	l.throughSocks(ctx, 5, socks, backend)
	l.idle(ctx, 10, forward)
	return nil
}

// throughSocks downloads by way of a socks proxy; some connections then stay idle.
func (l *lab) throughSocks(ctx context.Context, workers int, proxy, backend string) {
	host, port := parts(backend)
	var number int
	fmt.Sscan(port, &number)
	open := func(ctx context.Context) (net.Conn, error) {
		c, err := conn(ctx, "tcp", proxy)
		if err != nil {
			return nil, err
		}
		c.SetDeadline(time.Now().Add(20 * time.Second))
		io.WriteString(c, "\x05\x01\x00")
		io.ReadFull(c, make([]byte, 2))
		ip := net.ParseIP(host).To4()
		c.Write([]byte{5, 1, 0, 1, ip[0], ip[1], ip[2], ip[3], byte(number >> 8), byte(number)})
		_, err = io.ReadFull(c, make([]byte, 10))
		return c, err
	}
	l.every(ctx, workers, 100*time.Millisecond, func(ctx context.Context, _, i int) {
		c, err := open(ctx)
		if err != nil {
			return
		}
		defer c.Close()
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: lab\r\nConnection: close\r\n\r\n")
		io.Copy(io.Discard, c)
	})
	l.wg.Go(func() {
		for range 20 {
			if !wait(ctx, time.Second) {
				return
			}
			open(ctx)
		}
	})
}

// v2ray has a socks inbound and a freedom outbound.
func v2ray(ctx context.Context, l *lab) error {
	address := l.port()
	_, port := parts(address)
	config := l.file("v.json", `{"log":{"loglevel":"warning"},"inbounds":[{"listen":"127.0.0.1","port":`+port+`,"protocol":"socks","settings":{"auth":"noauth"}}],"outbounds":[{"protocol":"freedom","settings":{}}]}`)
	if err := l.serve("-config", config); err != nil {
		return err
	}
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	l.throughSocks(ctx, 20, address, l.backend(ctx, slow(100*time.Millisecond, 256<<10)))
	return nil
}

// webhook runs hooks that sleep, fifty at once.
func webhook(ctx context.Context, l *lab) error {
	address := l.port()
	host, port := parts(address)
	hooks := l.file("hooks.json", `[{"id":"sleep","execute-command":"`+l.script("sleep.sh", "sleep 2")+`","include-command-output-in-response":true},{"id":"echo","execute-command":"`+l.script("echo.sh", "echo done")+`"}]`)
	if err := l.serve("-hooks", hooks, "-ip", host, "-port", port, "-hotreload"); err != nil {
		return err
	}
	l.every(ctx, 50, 200*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "POST", "http://"+address+"/hooks/"+[]string{"sleep", "sleep", "echo"}[worker%3], "{}")
	})
	return l.opens(ctx, address)
}

// script writes a shell script.
func (l *lab) script(name, text string) string {
	path := l.file(name, "#!/bin/sh\n"+text+"\n")
	os.Chmod(path, 0o755)
	return path
}

// hugo serves a site of two thousand pages, of which some change.
func hugo(ctx context.Context, l *lab) error {
	address := l.port()
	_, port := parts(address)
	l.file("site/config.toml", "baseURL = \"http://lab/\"\ntitle = \"lab\"\ndisableKinds = [\"RSS\"]\n")
	l.file("site/layouts/_default/single.html", "<html><head></head><body><h1>{{ .Title }}</h1>{{ .Content }}{{ range first 20 site.RegularPages }}<a href=\"{{ .Permalink }}\">{{ .Title }}</a>{{ end }}</body></html>")
	l.file("site/layouts/_default/list.html", "<html><head></head><body>{{ range .Pages }}<li>{{ .Title }}</li>{{ end }}</body></html>")
	page := func(i, n int) {
		l.file(fmt.Sprintf("site/content/s%d/p%d.md", i%20, i), fmt.Sprintf("---\ntitle: page %d\ntags: [a%d]\n---\n# Head %d\n\n%s\n", i, i%30, n, strings.Repeat("Some *text* with `code`. ", 50)))
	}
	for i := range 2000 {
		page(i, 0)
	}
	library, err := debian(ctx, l.cache, "libsass1", "usr/lib/x86_64-linux-gnu/libsass.so.1")
	if err != nil {
		return err
	}
	if err := l.serve("env:LD_LIBRARY_PATH="+filepath.Dir(library), "server", "--source", l.dir+"/site", "--bind", "127.0.0.1", "-p", port, "--disableFastRender"); err != nil {
		return err
	}
	l.every(ctx, 8, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		n := (worker*50 + i) % 2000
		send(ctx, keepAlive, "GET", fmt.Sprintf("http://%s/s%d/p%d/", address, n%20, n), "")
	})
	l.every(ctx, 1, 4*time.Second, func(ctx context.Context, _, i int) { page(i*37%2000, i) })
	return l.opens(ctx, address)
}

// esbuild serves and watches a tree of a thousand small modules.
func esbuild(ctx context.Context, l *lab) error {
	address := l.port()
	module := func(i, n int) {
		text := fmt.Sprintf("export const v%d: number = %d;\n", i, n)
		for k := 1; k <= 3 && i*3+k < 1000; k++ {
			text += fmt.Sprintf("import {v%d} from './m%d'; export const w%d = v%d + %d;\n", i*3+k, i*3+k, k, i*3+k, n)
		}
		l.file(fmt.Sprintf("src/m%d.ts", i), text+strings.Repeat(fmt.Sprintf("export function f%d() { return [1, 2, 3].map(x => x * %d) }\n", n, i), 1))
	}
	for i := range 1000 {
		module(i, 0)
	}
	if err := l.serve("--serve="+address, "--watch=forever", "--bundle", "--minify", "--sourcemap", "--outdir="+l.dir+"/out", "src/m0.ts"); err != nil {
		return err
	}
	l.every(ctx, 4, 200*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "GET", "http://"+address+"/m0.js", "")
	})
	l.stream(ctx, 5, "GET", "http://"+address+"/esbuild", "")
	l.every(ctx, 2, time.Second, func(ctx context.Context, worker, i int) { module((worker*500+i*17)%1000, i) })
	return l.opens(ctx, address)
}

// yaegi interprets an HTTP server.
func yaegi(ctx context.Context, l *lab) error {
	address := l.port()
	program := l.file("main.go", `package main

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
	"sync"
)

var (
	mu   sync.Mutex
	seen = map[string]int{}
)

func words(w http.ResponseWriter, r *http.Request) {
	counts := map[string]int{}
	for _, word := range strings.Fields(strings.Repeat(r.URL.Query().Get("q")+" the quick brown fox ", 50)) {
		counts[word]++
	}
	var keys []string
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	mu.Lock()
	seen[r.URL.Path]++
	n := seen[r.URL.Path]
	mu.Unlock()
	fmt.Fprintln(w, n, keys)
}

func main() {
	http.HandleFunc("/", words)
	if err := http.ListenAndServe("`+address+`", nil); err != nil {
		panic(err)
	}
}
`)
	if err := l.serve("run", program); err != nil {
		return err
	}
	l.every(ctx, 8, 10*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "GET", fmt.Sprintf("http://%s/p%d?q=a+b+%d", address, worker, i), "")
	})
	return l.opens(ctx, address)
}
