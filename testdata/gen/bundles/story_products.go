package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"

	"example.com/bundles/archive"
)

// Products write bundles of their own, with goroutine stacks and profiles of themselves.
func productStories(in *inputs) []story {
	plain := func(path string) []byte {
		b := in.read(path)
		if !strings.HasSuffix(path, ".gz") || len(b) == 0 {
			return b
		}
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err == nil {
			b, err = io.ReadAll(z)
		}
		if err != nil {
			in.failed = append(in.failed, err)
		}
		return b
	}
	file := func(name string, data []byte) archive.File { return archive.File{Name: name, Data: data, Time: noon} }
	text := func(name, s string) archive.File { return file(name, []byte(s)) }

	var database []archive.File
	for i, dump := range []string{"healthy-http.txt", "stuck2-cycle-two-types-debug2.txt", "healthy-pipeline.txt"} {
		base := "debug/nodes/" + string(rune('1'+i)) + "/"
		database = append(database,
			file(base+"stacks.txt", plain("dumps/go1.26/"+dump)),
			file(base+"heap.pprof", in.read("profiles/heap-well.pb.gz")),
			text(base+"details.json", "{\n  \"nodeId\": "+string(rune('1'+i))+",\n  \"buildTag\": \"v24.1.2\"\n}\n"),
			text(base+"logs/tabledb.node-"+string(rune('1'+i))+".root.2026-03-06T10_00_00Z.000841.log", databaseLog()))
	}
	agentless := []archive.File{
		text("2026-03-06T12-00-00Z/index.json", "{\"version\":1,\"duration_seconds\":120,\"interval_seconds\":30,\"targets\":[\"pprof\",\"log\"]}\n"),
		file("2026-03-06T12-00-00Z/profile.prof", in.read("profiles/deep-equal.pb.gz")),
		file("2026-03-06T12-00-00Z/heap.prof", in.read("profiles/heap-well.pb.gz")),
		text("meshd.log", strings.Repeat("2026-03-06T12:00:00.000Z [DEBUG] agent.http: Request finished: method=GET url=/v1/agent/self from=127.0.0.1:40112 latency=412.7µs\n", 40)),
	}
	vaultLike := []archive.File{
		file("keepsafe-debug-2026-03-06T12-00-00Z/2026-03-06T12-00-00Z/goroutines.txt", plain("dumps/go1.26/healthy-cache.txt")),
		file("keepsafe-debug-2026-03-06T12-00-00Z/2026-03-06T12-00-00Z/heap.prof", in.read("profiles/heap-well.pb.gz")),
		file("keepsafe-debug-2026-03-06T12-00-00Z/2026-03-06T12-00-00Z/allocs.prof", in.read("profiles/allocs-well.pb.gz")),
		text("keepsafe-debug-2026-03-06T12-00-00Z/keepsafe.log", strings.Repeat("2026-03-06T12:00:01.004Z [INFO]  expiration: revoked lease: lease_id=database/creds/app/h4hd3\n", 30)),
		text("keepsafe-debug-2026-03-06T12-00-00Z/replication_status.json", "[]\n"),
	}
	scheduler := []archive.File{
		file("convoy-debug/server/s1.global/goroutine-debug2_0000.txt", plain("dumps/go1.26/stuck2-cycle-mutex-rwmutex-debug2.txt")),
		file("convoy-debug/client/4f2a/goroutine-debug2_0000.txt", plain("dumps/go1.26/stuck2-convoy-network-debug2.txt.gz")),
		file("convoy-debug/client/4f2a/heap_0000.prof", in.read("profiles/heap-well.pb.gz")),
		text("convoy-debug/server/s1.global/monitor.log", strings.Repeat("2026-03-06T12:00:02.118Z [INFO]  worker: created evaluation: eval=77c5f2e0\n", 25)),
	}
	return []story{
		{name: "product-database.zip", layout: "cockroach-like", verdict: "guilty", category: "deadlock", culprit: "node.(*Node)|node.(*Pod)", why: "three nodes' stacks.txt: in the second two locks are taken in two orders", files: database, pack: asZip},
		{name: "product-mesh.tar.gz", layout: "consul-like", verdict: "guilty", category: "hot-cpu", culprit: "codec.(*Drift).changed", why: "profile.prof, a CPU profile: objects are compared with DeepEqual", files: agentless, pack: asTarGz},
		{name: "healthy-keepsafe.tar.gz", layout: "vault-like", verdict: "healthy", why: "goroutines and profiles of a healthy server", files: vaultLike, pack: asTarGz},
		{name: "product-scheduler.tar.gz", layout: "nomad-like", verdict: "guilty", category: "deadlock", culprit: "broker.(*Topic)|broker.(*S", why: "two locks in two orders in the server's dump, a convoy behind a connection in the client's", files: scheduler, pack: asTarGz},
	}
}

func databaseLog() string {
	return strings.Repeat("I260306 11:58:01.204117 214 kv/kvserver/store_rebalancer.go:341 ⋮ [T1,n1,s1,store-rebalancer] 4711  load at or below target; nothing to do\n", 30)
}
