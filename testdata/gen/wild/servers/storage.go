package main

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// etcdArgs are the arguments of one member.
func (l *lab) etcdArgs(i int, clients, peers []string) []string {
	var cluster []string
	for k, peer := range peers {
		cluster = append(cluster, fmt.Sprintf("m%d=http://%s", k, peer))
	}
	return []string{"--name", fmt.Sprintf("m%d", i), "--data-dir", fmt.Sprintf("%s/data%d", l.dir, i), "--enable-pprof",
		"--listen-client-urls", "http://" + clients[i], "--advertise-client-urls", "http://" + clients[i],
		"--listen-peer-urls", "http://" + peers[i], "--initial-advertise-peer-urls", "http://" + peers[i],
		"--initial-cluster", strings.Join(cluster, ",")}
}

// etcdLoad is puts and ranges, twenty watchers, and leases that end.
func (l *lab) etcdLoad(ctx context.Context, clients []string) {
	key := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	call := func(ctx context.Context, i int, path, body string) {
		send(ctx, keepAlive, "POST", "http://"+clients[i%len(clients)]+"/v3/"+path, body)
	}
	for i := range 20 {
		l.stream(ctx, 1, "POST", "http://"+clients[i%len(clients)]+"/v3/watch", fmt.Sprintf(`{"create_request":{"key":%q,"range_end":%q}}`, key(fmt.Sprintf("k%d", i%10)), key(fmt.Sprintf("k%d", i%10+1))))
	}
	l.every(ctx, 6, 20*time.Millisecond, func(ctx context.Context, worker, i int) {
		call(ctx, worker, "kv/put", fmt.Sprintf(`{"key":%q,"value":%q}`, key(fmt.Sprintf("k%d/%d", worker, i%500)), key(strings.Repeat("v", 200))))
	})
	l.every(ctx, 6, 50*time.Millisecond, func(ctx context.Context, worker, i int) {
		call(ctx, worker, "kv/range", fmt.Sprintf(`{"key":%q,"range_end":%q,"limit":100}`, key(fmt.Sprintf("k%d/", i%6)), key(fmt.Sprintf("k%d0", i%6))))
	})
	l.every(ctx, 1, 500*time.Millisecond, func(ctx context.Context, worker, i int) {
		call(ctx, i, "lease/grant", fmt.Sprintf(`{"TTL":5,"ID":%d}`, 1000+i))
		call(ctx, i, "kv/put", fmt.Sprintf(`{"key":%q,"value":"","lease":%d}`, key(fmt.Sprintf("lease%d", i)), 1000+i))
	})
}

// etcdAlone is one member.
func etcdAlone(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	clients := []string{l.pprof}
	if err := l.serve(l.etcdArgs(0, clients, []string{l.port()})...); err != nil {
		return err
	}
	if err := l.opens(ctx, l.pprof); err != nil {
		return err
	}
	l.etcdLoad(ctx, clients)
	return nil
}

// etcdThree is three members, of which one is stopped and started again.
func etcdThree(ctx context.Context, l *lab) error {
	var clients, peers []string
	for range 3 {
		clients, peers = append(clients, l.port()), append(peers, l.port())
	}
	l.pprof = clients[0]
	if err := l.serve(l.etcdArgs(0, clients, peers)...); err != nil {
		return err
	}
	var third *process
	for i := 1; i < 3; i++ {
		p, err := l.start(l.bin, l.etcdArgs(i, clients, peers)...)
		if err != nil {
			return err
		}
		third = p
	}
	if err := l.opens(ctx, l.pprof); err != nil {
		return err
	}
	wait(ctx, 5*time.Second)
	l.etcdLoad(ctx, clients)
	l.wg.Go(func() {
		if !wait(ctx, 25*time.Second) {
			return
		}
		third.cmd.Process.Kill()
		if wait(ctx, 15*time.Second) {
			l.start(l.bin, l.etcdArgs(2, clients, peers)...)
		}
	})
	return nil
}

// registry is pushed to and pulled from; some uploads are cut off.
func registry(ctx context.Context, l *lab) error {
	address := l.port()
	l.pprof = l.port()
	config := l.file("r.yml", fmt.Sprintf("version: 0.1\nlog: {level: warn}\nstorage:\n  cache: {blobdescriptor: inmemory}\n  filesystem: {rootdirectory: %s/data}\n  delete: {enabled: true}\nhttp:\n  addr: %s\n  debug: {addr: %s}\n", l.dir, address, l.pprof))
	if err := l.serve("serve", config); err != nil {
		return err
	}
	l.images(ctx, address, l.row.name == "registry-new")
	return l.opens(ctx, address)
}

// craneRegistry keeps blobs in memory.
func craneRegistry(ctx context.Context, l *lab) error {
	address := l.port()
	_, port := parts(address)
	if err := l.serve("-port", port); err != nil {
		return err
	}
	l.images(ctx, address, false)
	return l.opens(ctx, address)
}

// images pushes and pulls images of two layers.
func (l *lab) images(ctx context.Context, address string, cut bool) {
	const workers, layer = 8, 256 << 10
	base := func(worker int) string { return fmt.Sprintf("http://%s/v2/lab/i%d", address, worker) }
	put := func(ctx context.Context, worker int, blob string) string {
		digest := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(blob)))
		to := location(ctx, "POST", base(worker)+"/blobs/uploads/")
		if to == "" {
			return digest
		}
		if strings.HasPrefix(to, "/") {
			to = "http://" + address + to
		}
		separator := "?"
		if strings.Contains(to, "?") {
			separator = "&"
		}
		send(ctx, keepAlive, "PUT", to+separator+"digest="+digest, blob, "Content-Type: application/octet-stream")
		return digest
	}
	const kind = "application/vnd.docker.distribution.manifest.v2+json"
	l.every(ctx, workers, 300*time.Millisecond, func(ctx context.Context, worker, i int) {
		blob := strings.Repeat(fmt.Sprintf("%d of %d;", i%40, worker), layer/10)
		if cut && i%5 == 4 {
			short, cancel := context.WithTimeout(ctx, 3*time.Millisecond)
			put(short, worker, blob+"cut")
			cancel()
		}
		config := `{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}`
		manifest := fmt.Sprintf(`{"schemaVersion":2,"mediaType":%q,"config":{"mediaType":"application/vnd.docker.container.image.v1+json","size":%d,"digest":%q},"layers":[{"mediaType":"application/vnd.docker.image.rootfs.diff.tar.gzip","size":%d,"digest":%q}]}`,
			kind, len(config), put(ctx, worker, config), len(blob), put(ctx, worker, blob))
		send(ctx, keepAlive, "PUT", fmt.Sprintf("%s/manifests/v%d", base(worker), i%5), manifest, "Content-Type: "+kind)
	})
	l.every(ctx, workers, 150*time.Millisecond, func(ctx context.Context, worker, i int) {
		text, _ := send(ctx, keepAlive, "GET", fmt.Sprintf("%s/manifests/v%d", base(worker), i%5), "", "Accept: "+kind)
		if at := strings.LastIndex(text, "sha256:"); at >= 0 && len(text) >= at+71 {
			send(ctx, keepAlive, "GET", base(worker)+"/blobs/"+text[at:at+71], "")
		}
		send(ctx, keepAlive, "GET", "http://"+address+"/v2/_catalog", "")
	})
}

// containerd imports images and makes and removes snapshots.
func containerd(ctx context.Context, l *lab) error {
	socket := l.dir + "/c.sock"
	l.unix = l.dir + "/debug.sock"
	config := l.file("c.toml", fmt.Sprintf("version = 2\nroot = %q\nstate = %q\ndisabled_plugins = [\"io.containerd.grpc.v1.cri\"]\n[grpc]\naddress = %q\n[ttrpc]\naddress = %q\n[debug]\naddress = %q\n", l.dir+"/root", l.dir+"/state", socket, l.dir+"/t.sock", l.unix))
	if err := l.serve("-c", config); err != nil {
		return err
	}
	for range 50 {
		if _, err := os.Stat(socket); err == nil {
			break
		}
		wait(ctx, 200*time.Millisecond)
	}
	ctr := filepath.Join(filepath.Dir(l.bin), "ctr")
	if _, err := l.start(ctr, "-a", socket, "events"); err != nil {
		return err
	}
	for i := range 5 {
		l.file(fmt.Sprintf("i%d.tar", i), image(i))
	}
	l.every(ctx, 3, 400*time.Millisecond, func(ctx context.Context, worker, i int) {
		name := fmt.Sprintf("s%d-%d", worker, i)
		l.quiet(ctx, ctr, "-a", socket, "snapshots", "--snapshotter", "native", "prepare", name)
		l.quiet(ctx, ctr, "-a", socket, "snapshots", "--snapshotter", "native", "rm", name)
	})
	l.every(ctx, 1, time.Second, func(ctx context.Context, _, i int) {
		l.quiet(ctx, ctr, "-a", socket, "images", "import", "--no-unpack", fmt.Sprintf("%s/i%d.tar", l.dir, i%5))
		l.quiet(ctx, ctr, "-a", socket, "images", "rm", fmt.Sprintf("docker.io/lab/i%d:1", (i+2)%5))
	})
	return nil
}

// image is a docker archive with one layer.
func image(i int) string {
	archive := func(names []string, bodies ...string) string {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for k, name := range names {
			w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(bodies[k]))})
			w.Write([]byte(bodies[k]))
		}
		w.Close()
		return b.String()
	}
	layer := archive([]string{"hello"}, strings.Repeat(fmt.Sprintf("layer %d;", i), 100_000))
	config := fmt.Sprintf(`{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":["sha256:%x"]}}`, sha256.Sum256([]byte(layer)))
	return archive([]string{"layer.tar", "config.json", "manifest.json"}, layer, config, fmt.Sprintf(`[{"Config":"config.json","RepoTags":["lab/i%d:1"],"Layers":["layer.tar"]}]`, i))
}

// tree writes files of random content.
func (l *lab) tree(folder string, files, size int) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range files {
		data := make([]byte, size)
		for k := 0; k+8 <= len(data); k += 8 {
			n := random.Uint64()
			for j := range 8 {
				data[k+j] = byte(n >> (8 * j))
			}
		}
		l.file(fmt.Sprintf("%s/d%d/f%d", folder, i%50, i), string(data))
	}
}

// rclone copies and syncs between local folders while it is asked for its figures.
func rclone(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	l.tree("from", 2000, 16<<10)
	if err := l.serve("rcd", "--rc-no-auth", "--rc-addr", l.pprof, "--transfers", "4", "--bwlimit", "4M", "--config", l.dir+"/none.conf"); err != nil {
		return err
	}
	if err := l.opens(ctx, l.pprof); err != nil {
		return err
	}
	l.every(ctx, 2, 5*time.Second, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "POST", "http://"+l.pprof+"/sync/"+[]string{"copy", "sync"}[worker], fmt.Sprintf(`{"srcFs":"%s/from","dstFs":"%s/to%d-%d"}`, l.dir, l.dir, worker, i%3), "Content-Type: application/json")
	})
	l.every(ctx, 2, 200*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "POST", "http://"+l.pprof+"/core/stats", "")
	})
	return nil
}

// restic is captured in the middle of a backup.
func restic(ctx context.Context, l *lab) error {
	l.tree("data", 1500, 400<<10)
	secret := "env:RESTIC_PASSWORD=lab"
	if err := l.once(ctx, l.bin, secret, "-r", l.dir+"/repo", "init"); err != nil {
		return err
	}
	l.age = 4 * time.Second
	return l.serve(secret, "-r", l.dir+"/repo", "backup", l.dir+"/data")
}

// syncthing is one of two that share a folder of small files, of which some change.
func syncthing(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	var ids, listens []string
	for i := range 2 {
		home := fmt.Sprintf("%s/home%d", l.dir, i)
		if err := l.once(ctx, l.bin, "generate", "--home="+home, "--no-default-folder", "--skip-port-probing"); err != nil {
			return err
		}
		p, err := l.start(l.bin, "serve", "--home="+home, "--device-id")
		if err != nil {
			return err
		}
		<-p.ended
		ids, listens = append(ids, strings.TrimSpace(p.tail())), append(listens, l.port())
	}
	for i := range 2 {
		var devices, members string
		for k, id := range ids {
			devices += fmt.Sprintf("<device id=%q name=\"d%d\"><address>tcp://%s</address></device>", id, k, listens[k])
			members += fmt.Sprintf("<device id=%q></device>", id)
		}
		os.MkdirAll(fmt.Sprintf("%s/share%d/.stfolder", l.dir, i), 0o755)
		l.file(fmt.Sprintf("home%d/config.xml", i), fmt.Sprintf(`<configuration version="36"><folder id="lab" label="lab" path="%s/share%d" type="sendreceive" rescanIntervalS="15" fsWatcherEnabled="true" fsWatcherDelayS="2">%s</folder>%s<gui enabled="true"><address>%s</address></gui><options><listenAddress>tcp://%s</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled><urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH><crashReportingEnabled>false</crashReportingEnabled></options></configuration>`,
			l.dir, i, members, devices, l.port(), listens[i]))
	}
	l.tree("share0", 10_000, 1<<10)
	// The process that signals go to is the one that works: its monitor is left out.
	if err := l.serve("env:STMONITORED=yes", "env:STPROFILER="+l.pprof, "serve", "--home="+l.dir+"/home0", "--no-browser"); err != nil {
		return err
	}
	if _, err := l.start(l.bin, "env:STMONITORED=yes", "serve", "--home="+l.dir+"/home1", "--no-browser"); err != nil {
		return err
	}
	l.every(ctx, 2, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		name := fmt.Sprintf("share0/d%d/f%d", (i*7)%50, i*7%10_000)
		if i%5 == 4 {
			os.Remove(filepath.Join(l.dir, name))
			return
		}
		l.file(name, fmt.Sprintf("changed %d by %d", i, worker))
	})
	return l.opens(ctx, l.pprof)
}

// relaysrv gets connections that ask nothing sensible and go.
func relaysrv(ctx context.Context, l *lab) error {
	address, status := l.port(), l.port()
	if err := l.serve("-listen", address, "-status-srv", status, "-pools", ""); err != nil {
		return err
	}
	l.every(ctx, 10, 200*time.Millisecond, func(ctx context.Context, worker, i int) {
		relaySession(ctx, address)
		send(ctx, keepAlive, "GET", "http://"+status+"/status", "")
	})
	return l.opens(ctx, address)
}

// aptly serves its API with a repository that is changed, published and snapshot.
func aptly(ctx context.Context, l *lab) error {
	address := l.port()
	config := l.file("aptly.conf", fmt.Sprintf(`{"rootDir":"%s/root","gpgDisableSign":true,"gpgDisableVerify":true,"architectures":["amd64"]}`, l.dir))
	if err := l.serve("api", "serve", "-config="+config, "-listen="+address); err != nil {
		return err
	}
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	base := "http://" + address + "/api"
	post := func(ctx context.Context, method, path, body string) {
		send(ctx, keepAlive, method, base+path, body, "Content-Type: application/json")
	}
	post(ctx, "POST", "/repos", `{"Name":"lab"}`)
	l.every(ctx, 3, 500*time.Millisecond, func(ctx context.Context, worker, i int) {
		post(ctx, "POST", "/repos", fmt.Sprintf(`{"Name":"lab%d-%d"}`, worker, i))
		post(ctx, "POST", fmt.Sprintf("/repos/lab%d-%d/snapshots", worker, i), fmt.Sprintf(`{"Name":"s%d-%d"}`, worker, i))
		post(ctx, "GET", "/snapshots", "")
		post(ctx, "GET", "/repos/lab/packages", "")
		if i%3 == 0 {
			post(ctx, "POST", "/publish", fmt.Sprintf(`{"SourceKind":"local","Sources":[{"Name":"lab%d-%d"}],"Architectures":["amd64"],"Distribution":"d%d-%d","Signing":{"Skip":true}}`, worker, i, worker, i))
		}
	})
	return nil
}

// pebbleBench writes and reads by the benchmark of the tool.
func pebbleBench(ctx context.Context, l *lab) error {
	l.age = 15 * time.Second
	return l.serve("bench", "ycsb", l.dir+"/db", "--workload=A", "--concurrency=8", "--duration=60s", "--rate=20000")
}

// bboltBench runs twice: to its end with profiles, and into the signal.
func bboltBench(ctx context.Context, l *lab) error {
	bench := []string{"bench", "-count", "200000", "-batch-size", "100"}
	l.written = map[string]string{"cpu.pb.gz": l.dir + "/cpu", "heap.pb.gz": l.dir + "/heap", "block.pb.gz": l.dir + "/block"}
	if err := l.once(ctx, l.bin, append(bench, "-path", l.dir+"/one.db", "-cpuprofile", l.dir+"/cpu", "-memprofile", l.dir+"/heap", "-blockprofile", l.dir+"/block")...); err != nil {
		return err
	}
	l.age = 3 * time.Second
	return l.serve(append(bench, "-count", "2000000", "-path", l.dir+"/two.db")...)
}

// badgerBench writes by the benchmark of the tool.
func badgerBench(ctx context.Context, l *lab) error {
	l.pprof = "127.0.0.1:8080"
	l.age = 10 * time.Second
	if err := l.serve("benchmark", "write", "--dir="+l.dir+"/db", "--keys-mil=20", "--block-cache-mb=16"); err != nil {
		return err
	}
	return l.opens(ctx, l.pprof)
}

// pocketbase makes records and lists them, with subscribers.
func pocketbase(ctx context.Context, l *lab) error {
	address := l.port()
	if err := l.serve("serve", "--http="+address, "--dir="+l.dir+"/data"); err != nil {
		return err
	}
	base := "http://" + address + "/api"
	l.every(ctx, 6, 300*time.Millisecond, func(ctx context.Context, worker, i int) {
		mail := fmt.Sprintf("u%d-%d@lab.test", worker, i)
		send(ctx, keepAlive, "POST", base+"/collections/users/records", fmt.Sprintf(`{"email":%q,"password":"secret-lab","passwordConfirm":"secret-lab"}`, mail), "Content-Type: application/json")
		send(ctx, keepAlive, "POST", base+"/collections/users/auth-with-password", fmt.Sprintf(`{"identity":%q,"password":"secret-lab"}`, mail), "Content-Type: application/json")
		send(ctx, keepAlive, "GET", base+"/collections/users/records?perPage=50", "")
	})
	if err := l.opens(ctx, address); err != nil {
		return err
	}
	l.stream(ctx, 20, "GET", base+"/realtime", "")
	return nil
}
