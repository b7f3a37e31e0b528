package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// gobgpd is one of two that are peers.
func gobgpd(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	_, mine := parts(l.port())
	_, theirs := parts(l.port())
	api := l.port()
	config := func(name, as, peer, ip, other, port, far, passive string) string {
		return l.file(name, fmt.Sprintf("[global.config]\nas = %s\nrouter-id = \"10.0.0.%s\"\nport = %s\nlocal-address-list = [%q]\n[[neighbors]]\n[neighbors.config]\nneighbor-address = %q\npeer-as = %s\n"+
			"[neighbors.transport.config]\nlocal-address = %q\nremote-port = %s\npassive-mode = %s\n[neighbors.timers.config]\nconnect-retry = 5\n", as, as[4:], port, ip, other, peer, ip, far, passive))
	}
	one := config("one.toml", "65001", "65002", "127.0.0.1", "127.0.0.2", mine, theirs, "true")
	two := config("two.toml", "65002", "65001", "127.0.0.2", "127.0.0.1", theirs, mine, "false")
	if err := l.serve("-f", one, "--api-hosts", api, "--pprof-host", l.pprof); err != nil {
		return err
	}
	second := l.port()
	if _, err := l.start(l.bin, "-f", two, "--api-hosts", second, "--pprof-disable"); err != nil {
		return err
	}
	gobgp := filepath.Join(filepath.Dir(l.bin), "gobgp")
	ask := func(address string, args ...string) []string {
		host, port := parts(address)
		return append([]string{"-u", host, "-p", port}, args...)
	}
	if err := l.opens(ctx, api); err != nil {
		return err
	}
	for range 3 {
		if _, err := l.start(gobgp, ask(api, "monitor", "global", "rib")...); err != nil {
			return err
		}
	}
	l.every(ctx, 1, 100*time.Millisecond, func(ctx context.Context, _, i int) {
		l.quiet(ctx, gobgp, ask(second, "global", "rib", []string{"add", "del"}[i%2], fmt.Sprintf("10.1.%d.0/24", i/2%200))...)
	})
	return l.opens(ctx, l.pprof)
}

// certificate writes a key and a certificate for a name, and returns their paths.
func (l *lab) certificate(folder, name string) (cert, key string, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(24 * time.Hour)}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return "", "", err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return "", "", err
	}
	text := func(kind string, data []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}))
	}
	return l.file(folder+"/fullchain.pem", text("CERTIFICATE", public)), l.file(folder+"/privkey.pem", text("PRIVATE KEY", secret)), nil
}

// chasquid gets a letter a second; some sessions say nothing.
func chasquid(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	smtp := l.port()
	if _, _, err := l.certificate("conf/certs/lab.test", "lab.test"); err != nil {
		return err
	}
	l.file("conf/domains/lab.test/users", "")
	l.file("conf/domains/lab.test/aliases", "bob: alice@lab.test\n")
	l.file("conf/chasquid.conf", fmt.Sprintf("hostname: \"lab.test\"\nsmtp_address: %q\nsubmission_address: %q\nsubmission_over_tls_address: %q\nmonitoring_address: %q\nmail_delivery_agent_bin: %q\nmail_delivery_agent_args: \"x\"\ndata_dir: %q\nmail_log_path: %q\n",
		smtp, l.port(), l.port(), l.pprof, l.script("deliver.sh", "cat > /dev/null"), l.dir+"/data", l.dir+"/mail.log"))
	if err := l.serve("-config_dir=" + l.dir + "/conf"); err != nil {
		return err
	}
	if err := l.opens(ctx, smtp); err != nil {
		return err
	}
	l.idle(ctx, 5, smtp)
	l.every(ctx, 2, 100*time.Millisecond, func(ctx context.Context, _, i int) {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", smtp)
		if err != nil {
			return
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(10 * time.Second))
		r := bufio.NewReader(c)
		for _, line := range []string{"EHLO lab.test", "MAIL FROM:<>", "RCPT TO:<alice@lab.test>", "DATA", fmt.Sprintf("Subject: %d\r\n\r\nhello\r\n.", i), "QUIT"} {
			r.ReadString('\n')
			io.WriteString(c, line+"\r\n")
		}
		io.Copy(io.Discard, r)
	})
	return l.opens(ctx, l.pprof)
}

// dnss asks itself by HTTP, and that side a resolver that is played.
func dnss(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	address, web := l.port(), l.port()
	upstream, err := net.ListenPacket("udp", l.port())
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { upstream.Close() })
	go func() {
		for buffer := make([]byte, 4096); ; {
			n, from, err := upstream.ReadFrom(buffer)
			if err != nil {
				return
			}
			if n > 12 { // an answer without records
				buffer[2] |= 0x80
				upstream.WriteTo(buffer[:n], from)
			}
		}
	}()
	if err := l.serve("--enable_dns_to_https", "--dns_listen_addr="+address, "--https_upstream=http://"+web+"/resolve", "--enable_https_to_dns", "--https_server_addr="+web,
		"--insecure_http_server", "--dns_upstream="+upstream.LocalAddr().String(), "--fallback_upstream="+upstream.LocalAddr().String(), "--monitoring_listen_addr="+l.pprof); err != nil {
		return err
	}
	l.ask(ctx, address, 4, 100*time.Millisecond)
	return l.opens(ctx, l.pprof)
}

// dockerd runs nothing: it is asked for what there is.
func dockerd(ctx context.Context, l *lab) error {
	l.abort = true // at SIGQUIT it writes a dump of its own
	below, err := debian(ctx, l.cache, "containerd", "usr/bin/containerd")
	if err != nil {
		return err
	}
	socket := l.dir + "/c.sock"
	config := l.file("c.toml", fmt.Sprintf("version = 2\nroot = %q\nstate = %q\ndisabled_plugins = [\"io.containerd.grpc.v1.cri\"]\n[grpc]\naddress = %q\n[ttrpc]\naddress = %q\n", l.dir+"/root", l.dir+"/state", socket, l.dir+"/t.sock"))
	if l.main, err = l.start(below, "-c", config); err != nil {
		return err
	}
	library, err := debian(ctx, l.cache, "libdevmapper1.02.1", "lib/x86_64-linux-gnu/libdevmapper.so.1.02.1")
	if err != nil {
		return err
	}
	wait(ctx, 10*time.Second)
	api := l.port()
	l.pprof = api
	runc := l.script("bin/runc", "echo runc version 1.1.4") // it looks for one, and has nothing to run
	if err := l.serve("env:LD_LIBRARY_PATH="+filepath.Dir(library), "env:PATH="+filepath.Dir(runc)+":/usr/bin:/bin:/usr/sbin:/sbin", "--debug", "--data-root", l.dir+"/docker", "--exec-root", l.dir+"/exec", "--pidfile", l.dir+"/pid", "-H", "tcp://"+api,
		"--bridge", "none", "--iptables=false", "--ip-forward=false", "--containerd", socket, "--storage-driver", "vfs", "--tls=false"); err != nil {
		return err
	}
	if err := l.opens(ctx, api); err != nil {
		return err
	}
	l.stream(ctx, 3, "GET", "http://"+api+"/events", "")
	l.every(ctx, 1, 100*time.Millisecond, func(ctx context.Context, _, i int) {
		send(ctx, keepAlive, "GET", "http://"+api+"/info", "")
		send(ctx, keepAlive, "POST", "http://"+api+"/volumes/create", fmt.Sprintf(`{"Name":"v%d"}`, i), "Content-Type: application/json")
		send(ctx, keepAlive, "DELETE", fmt.Sprintf("http://%s/volumes/v%d", api, i), "")
	})
	return nil
}

// nebula is a lighthouse with one node.
func nebula(ctx context.Context, l *lab) error {
	cert := filepath.Join(filepath.Dir(l.bin), "nebula-cert")
	if err := l.once(ctx, cert, "ca", "-name", "lab"); err != nil {
		return err
	}
	first, second := l.port(), l.port()
	for i, address := range []string{first, second} {
		name := fmt.Sprintf("n%d", i)
		if err := l.once(ctx, cert, "sign", "-name", name, "-ip", fmt.Sprintf("10.9.0.%d/24", i+1)); err != nil {
			return err
		}
		_, port := parts(address)
		hosts := ""
		if i == 1 {
			hosts = "  hosts: [\"10.9.0.1\"]\n"
		}
		config := l.file(name+".yml", fmt.Sprintf("pki: {ca: %s/ca.crt, cert: %s/%s.crt, key: %s/%s.key}\nstatic_host_map: {\"10.9.0.1\": [%q]}\nlighthouse:\n  am_lighthouse: %v\n  interval: 10\n%slisten: {host: 127.0.0.1, port: %s}\n"+
			"tun: {disabled: true}\npunchy: {punch: true}\nfirewall: {outbound: [{port: any, proto: any, host: any}], inbound: [{port: any, proto: any, host: any}]}\n",
			l.dir, l.dir, name, l.dir, name, first, i == 0, hosts, port))
		if i == 0 {
			if err := l.serve("-config", config); err != nil {
				return err
			}
		} else if _, err := l.start(l.bin, "-config", config); err != nil {
			return err
		}
	}
	return nil
}

// websocketd has clients that say nothing, and one that talks.
func websocketd(ctx context.Context, l *lab) error {
	address := l.port()
	host, port := parts(address)
	if err := l.serve("--address="+host, "--port="+port, "/bin/cat"); err != nil {
		return err
	}
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	for i := range 6 {
		c, err := conn(ctx, "tcp", address)
		if err != nil {
			return err
		}
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+address+"\r\nOrigin: http://"+address+"\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
		go io.Copy(io.Discard, c)
		if i == 0 {
			l.every(ctx, 1, 100*time.Millisecond, func(context.Context, int, int) {
				c.Write([]byte{0x81, 0x82, 0, 0, 0, 0, 'h', '\n'})
			})
		}
	}
	return nil
}

// stayrtr has routers that stay.
func stayrtr(ctx context.Context, l *lab) error {
	address := l.port()
	cache := l.file("cache.json", fmt.Sprintf(`{"metadata":{"generated":%d,"valid":"2099-01-01T00:00:00Z"},"roas":[{"prefix":"10.0.0.0/24","maxLength":24,"asn":"AS65001"},{"prefix":"10.0.1.0/24","maxLength":24,"asn":"AS65002"}]}`, time.Now().Unix()))
	if err := l.serve("-bind", address, "-cache", cache, "-checktime=false", "-metrics.addr", l.port(), "-refresh", "20"); err != nil {
		return err
	}
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	for i := range 5 {
		c, err := conn(ctx, "tcp", address)
		if err != nil {
			return err
		}
		reset := []byte{0, 2, 0, 0, 0, 0, 0, 8}
		c.Write(reset)
		go io.Copy(io.Discard, c)
		if i == 0 {
			l.every(ctx, 1, time.Second, func(context.Context, int, int) { c.Write(reset) })
		}
	}
	return nil
}

// frps is the server of a tunnel that frpc opens.
func frps(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	bind, out := l.port(), l.port()
	_, port := parts(bind)
	host, web := parts(l.pprof)
	_, remote := parts(out)
	backend := l.backend(ctx, slow(20*time.Millisecond, 4096))
	_, local := parts(backend)
	config := l.file("s.toml", fmt.Sprintf("bindAddr = \"127.0.0.1\"\nproxyBindAddr = \"127.0.0.1\"\nbindPort = %s\nwebServer.addr = %q\nwebServer.port = %s\nwebServer.pprofEnable = true\n", port, host, web))
	if err := l.serve("-c", config); err != nil {
		return err
	}
	client := filepath.Join(l.cache, "bin", "frpc")
	if _, err := os.Stat(client); err != nil {
		if err := buildModule(ctx, filepath.Join(l.cache, "mod", "frps"), client, "github.com/fatedier/frp@v0.61.1", "(package cmd/frpc)"); err != nil {
			return err
		}
	}
	if err := l.opens(ctx, bind); err != nil {
		return err
	}
	if _, err := l.start(client, "-c", l.file("c.toml", fmt.Sprintf("serverAddr = \"127.0.0.1\"\nserverPort = %s\n[[proxies]]\nname = \"web\"\ntype = \"tcp\"\nlocalIP = \"127.0.0.1\"\nlocalPort = %s\nremotePort = %s\n", port, local, remote))); err != nil {
		return err
	}
	if err := l.opens(ctx, out); err != nil {
		return err
	}
	l.every(ctx, 2, 100*time.Millisecond, func(ctx context.Context, worker, _ int) {
		send(ctx, fresh, "GET", "http://"+out+"/", "")
	})
	l.idle(ctx, 5, out)
	return l.opens(ctx, l.pprof)
}

// statsdExporter gets lines by udp; some senders by tcp stay.
func statsdExporter(ctx context.Context, l *lab) error {
	udp, tcp, web := l.port(), l.port(), l.port()
	if err := l.serve("--statsd.listen-udp="+udp, "--statsd.listen-tcp="+tcp, "--web.listen-address="+web); err != nil {
		return err
	}
	if err := l.opens(ctx, web); err != nil {
		return err
	}
	l.idle(ctx, 5, tcp)
	l.idle(ctx, 2, web)
	l.every(ctx, 2, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		if c, err := (&net.Dialer{}).DialContext(ctx, "udp", udp); err == nil {
			fmt.Fprintf(c, "lab.requests.%d:1|c\nlab.time:%d|ms\n", i%10, i%300)
			c.Close()
		}
		send(ctx, keepAlive, "GET", "http://"+web+"/metrics", "")
	})
	return nil
}

// supercronic has a job each second and one that takes for hours.
func supercronic(ctx context.Context, l *lab) error {
	l.abort = true // at SIGQUIT it waits for its jobs
	return l.serve(l.file("crontab", "* * * * * * * echo tick\n* * * * * sleep 20000\n*/5 * * * * sleep 100\n@daily echo day\n"))
}

// fakeS3 keeps objects in memory.
func fakeS3(ctx context.Context, l *lab) error {
	address := l.port()
	if err := l.serve("-backend", "memory", "-host", address, "-initialbucket", "lab"); err != nil {
		return err
	}
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	l.idle(ctx, 5, address)
	l.every(ctx, 2, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		url := fmt.Sprintf("http://%s/lab/o%d", address, i%50)
		send(ctx, keepAlive, "PUT", url, strings.Repeat("object ", 100+i%100))
		send(ctx, keepAlive, "GET", url, "")
	})
	return nil
}
