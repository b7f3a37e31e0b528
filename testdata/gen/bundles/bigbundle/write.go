package main

import (
	"fmt"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

// agent finds nothing to do, one to three times a second, and writes the object's status each time.
var agent = &logs.Component{
	Name: "release-agent", Namespace: "release-system", Owner: "Deployment", Replicas: 1, Format: logs.Logrus,
	Says: []logs.Saying{
		logs.Every(900*time.Millisecond, true, 'I', "", `"getting history for release observability-agent"`),
		logs.Every(900*time.Millisecond, true, 'I', "", `"release observability-agent: DaemonSet observability/node-agent Resource is current"`),
		logs.Every(5*time.Minute, true, 'I', "", `"Cleaning up revisions of observability-agent"`),
	},
}

// podLog is a log of the size given, with the API's timestamps.
func podLog(p pod, i int, size int64) []byte {
	b := make([]byte, 0, size+4096)
	start := begin.Add(time.Duration(i) * 777 * time.Millisecond)
	p.run(start, taken, size, 31, func(at time.Time, text []byte) bool {
		b = at.AppendFormat(b, nano)
		b = append(b, ' ')
		b = append(b, text...)
		b = append(b, '\n')
		return int64(len(b)) < size || p.component == agent
	})
	return b
}

const nano = "2006-01-02T15:04:05.000000000Z"

// run writes about size bytes between two times, with frame bytes before each line. The agent keeps its own rate: what it
// writes more slowly than the others is its fault's sign.
func (p pod) run(start, end time.Time, size int64, frame int, emit func(time.Time, []byte) bool) {
	pace := 1.0
	if p.component != agent {
		pace = float64(size) / ((p.component.Rate() + p.lines()*float64(frame)) * end.Sub(start).Seconds())
	}
	r := logs.NewRand(p.seed)
	r.Host = p.node
	p.component.Run(r, start, end, pace, emit)
}

func unitLog(c *logs.Component, node string, size int64) []byte {
	b := make([]byte, 0, size+4096)
	p := pod{component: c, node: node, seed: c.Name + node}
	b = append(b, "-- Logs begin at "+begin.Format("Mon 2006-01-02 15:04:05 MST")+", end at "+taken.Format("Mon 2006-01-02 15:04:05 MST")+". --\n"...)
	p.run(begin, taken, size, 0, func(_ time.Time, text []byte) bool {
		b = append(b, text...)
		b = append(b, '\n')
		return int64(len(b)) < size
	})
	return b
}

// rotated are the files that the kubelet keeps of a container's log: all but the two newest compressed.
func (b *bundle) rotated(p pod, i int, size int64) ([]archive.File, error) {
	var files []archive.File
	folder := fmt.Sprintf("logs/pods/%s_%s_%s/%s/", p.namespace, p.name, p.uid, p.component.Name)
	part := make([]byte, 0, size/rotations+8192)
	var last time.Time
	var failed error
	flush := func(rotatedAt time.Time) {
		f := archive.File{Name: folder + "0.log", Data: part, Time: taken}
		n := len(files)
		if n < rotations-1 {
			f.Name += rotatedAt.Format(".20060102-150405")
		}
		if n < rotations-2 {
			z, err := archive.Gzip(part)
			if err != nil {
				failed = err
			}
			f.Name, f.Data, f.Stored = f.Name+".gz", z, true
		}
		files = append(files, f)
		part = make([]byte, 0, size/rotations+8192)
	}
	p.run(begin, taken, size, 40, func(at time.Time, text []byte) bool {
		if int64(len(part)) >= size/rotations && len(files) < rotations-1 {
			flush(at)
		}
		if i == hiddenPod && len(files) == hiddenFile && len(part) == 0 {
			for _, line := range b.dump {
				part = appendCRI(part, at, line)
			}
		}
		part = appendCRI(part, at, text)
		last = at
		return int64(len(part)) < size
	})
	flush(last)
	return files, failed
}

func appendCRI(b []byte, at time.Time, text []byte) []byte {
	b = at.AppendFormat(b, nano)
	b = append(b, " stderr F "...)
	b = append(b, text...)
	return append(b, '\n')
}

func newAuditLog(server int) *auditLog {
	store := auditlog.NewStore(655_000_000 + int64(server)*40_000_000)
	l := &auditLog{
		back: auditlog.NewBackground(fmt.Sprint("audit ", server), begin, nodes[server:server+1], store, 1),
	}
	if server == 0 {
		l.loop = auditlog.NewLoop(store, begin)
	}
	return l
}

// write writes size bytes and tells the time of the last event.
func (l *auditLog) write(size int64) ([]byte, time.Time) {
	b := make([]byte, 0, size+8192)
	var e auditlog.Event
	for int64(len(b)) < size {
		if l.loop != nil && l.loop.Peek().Before(l.back.Peek()) {
			e = l.loop.Next()
		} else {
			e = l.back.Next()
		}
		b = e.Append(b)
	}
	return b, e.At.Add(e.Took)
}
