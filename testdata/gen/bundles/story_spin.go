package main

import (
	"bytes"
	"strings"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/logs"
)

const harborLog = "pods/harbor-system_harbor-controller-5c9d8f7b6-x2x7k_3f0b6c1e-7d52-4c0a-9b1f-2a6d8e4c5b90/controller/1.log"

// criLines takes a kubelet's log apart.
func criLines(log []byte) []line {
	var out []line
	for l := range bytes.Lines(log) {
		f := strings.SplitN(strings.TrimSuffix(string(l), "\n"), " ", 4)
		at, err := time.Parse(time.RFC3339Nano, f[0])
		if err != nil || len(f) < 4 {
			continue
		}
		out = append(out, line{at: at, text: f[3], stdout: f[1] == "stdout"})
	}
	return out
}

// harbor is a cluster in which one controller was made to print its goroutines by SIGABRT, ten minutes ago.
func harbor(in *inputs, seed string, components []*logs.Component) (*cluster, *pod) {
	lines := criLines(in.read(harborLog))
	if len(lines) == 0 {
		return healthy(seed, noon, time.Hour, components, short), &pod{}
	}
	died := lines[len(lines)-1].at
	c := healthy(seed, died.Add(10*time.Minute).Truncate(time.Second), 3*time.Hour, components, short)
	w := c.workload("Deployment", "harbor-system", "harbor-controller", died.Add(-30*24*time.Hour))
	p := c.pod(w, 0)
	k := p.container("controller")
	half := len(lines) / 2 // inside a goroutine's stack
	for strings.HasPrefix(lines[half].text, "goroutine ") || lines[half].text == "" {
		half++
	}
	k.instances = []instance{
		{restart: 1, lines: lines, cuts: []int{half}},
		{restart: 2, lines: texts(logs.Klog, seed+"again", died.Add(2*time.Second), c.taken,
			logs.Every(time.Minute, false, 'I', "main.go:86", `"Starting harbor-controller" version="v1.4.2" namespace="harbor-system"`),
			logs.Every(2*time.Minute, false, 'I', "sync.go:41", `"Synced" registry="{{ns}}/{{app}}"`))},
	}
	k.state = obj{"running": obj{"startedAt": stamp(died.Add(2 * time.Second))}}
	k.last = obj{"terminated": obj{"exitCode": 2, "reason": "Error", "startedAt": stamp(lines[0].at), "finishedAt": stamp(died), "message": tail(lines, 2048), "containerID": "containerd://" + c.r.Hex(64)}}
	return c, p
}

// tail is what the kubelet keeps of a log as the termination message: the last bytes.
func tail(lines []line, n int) string {
	b := bare(lines)
	return string(b[max(0, len(b)-n):])
}

func spinStories(in *inputs) []story {
	base := story{verdict: "guilty", category: "spin", culprit: "(*listener).expireLoop.func1", rule: "busy|gosched"}
	var all []story
	add := func(name, layout, why string, files []archive.File, pack func([]archive.File) ([]byte, error)) {
		s := base
		s.name, s.layout, s.why, s.files, s.pack = name, layout, why, files, pack
		all = append(all, s)
	}
	c, _ := harbor(in, "spin-rke2", small())
	add("spin-rke2.tar.gz", "rke2-collector", "a dump of a spinning controller in a node's CRI log, cut in two by rotation", collector(c), asTarGz)
	c, _ = harbor(in, "spin-mustgather", tiny())
	for _, p := range c.pods { // the API shows a previous log whole where it was not rotated
		for _, k := range p.containers {
			k.instances[0].cuts = nil
		}
	}
	add("spin-mustgather.tar.xz", "must-gather", "the same in previous.log", mustGather(c), asTarXz)
	return all
}
