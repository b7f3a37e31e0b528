package capture

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"cluster/lab/kubelet"
)

// between is the time between the two snapshots at the end of a scene.
const between = 8 * time.Second

// Options say where the parts of a capture are.
type Options struct {
	Admin      *rest.Config
	Audit      []string // paths of the API servers' audit logs
	Logs       string   // shaped like /var/log/pods
	Level      string   // of the audit logs
	Scene      string   // namespaces that start with its name are its own
	Namespaces []string // of the scene, besides
	Profiles   func() []kubelet.Profile
	Gathered   bool // the bundle has logs as must-gather collects them: the last two instances, without a runtime's tags
}

// A Capture is what is collected while a scene runs.
type Capture struct {
	options   Options
	begun     time.Time
	audit     []position
	logs      map[string]int64 // sizes of logs before the scene
	watch     *watch
	mu        sync.Mutex
	snapshots []*snapshot
	profiles  Files
}

// Start begins a capture.
func Start(ctx context.Context, o Options) (*Capture, error) {
	o.Admin = rest.CopyConfig(o.Admin)
	o.Admin.UserAgent = labAgent
	c := &Capture{options: o, begun: time.Now(), logs: map[string]int64{}, profiles: Files{}}
	var err error
	if c.audit, err = positions(o.Audit); err != nil {
		return nil, err
	}
	err = c.eachLog(func(path string, size int64) error {
		c.logs[path] = size
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.watch, err = startWatch(ctx, o.Admin)
	return c, err
}

// Snapshot takes a snapshot.
func (c *Capture) Snapshot(ctx context.Context) error {
	s, err := take(ctx, c.options.Admin)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.snapshots = append(c.snapshots, s)
	return nil
}

// Finish takes two snapshots and what processes say of themselves, and writes all to a folder.
func (c *Capture) Finish(ctx context.Context, dir string) error {
	if err := c.Snapshot(ctx); err != nil {
		return err
	}
	later := time.After(between)
	c.ask(ctx)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-later:
	}
	if err := c.Snapshot(ctx); err != nil {
		return err
	}
	files := Files{"watch.jsonl": c.watch.stop()}
	for i, s := range c.snapshots {
		data, err := s.yaml()
		if err != nil {
			return err
		}
		files[fmt.Sprintf("snapshot-%d.yaml", i+1)] = data
	}
	bundle := Files{}
	for i, p := range c.audit {
		data, err := p.read(c.options.Level, i)
		if err != nil {
			return err
		}
		files[auditName(i)] = data
		bundle[fmt.Sprintf("audit_logs/kube-apiserver/master-%d-audit.log", i+1)] = data
	}
	if err := c.snapshots[len(c.snapshots)-1].gather(bundle); err != nil {
		return err
	}
	if err := c.readLogs(bundle); err != nil {
		return err
	}
	maps.Copy(bundle, c.profiles)
	bundle["timestamp"] = fmt.Appendf(nil, "%s\n%s\n", c.begun.UTC().Format(stamp), time.Now().UTC().Format(stamp))
	bundle["version"] = []byte("openshift/must-gather\nv4.20\n")
	packed, err := bundle.archive("must-gather", time.Now())
	if err != nil {
		return err
	}
	files["bundle.tar"] = packed
	return files.write(dir)
}

// stamp is how must-gather writes a time.
const stamp = "2006-01-02 15:04:05.999999999 -0700 MST"

// ask takes dumps and profiles of the scene's processes that serve them.
func (c *Capture) ask(ctx context.Context) {
	var wg sync.WaitGroup
	asked := map[string]int{}
	profiles := c.options.Profiles()
	slices.SortFunc(profiles, func(a, b kubelet.Profile) int { return strings.Compare(a.Namespace+a.Pod, b.Namespace+b.Pod) })
	for _, p := range profiles {
		name := strings.Split(p.Pod, "-")[0]
		if asked[p.Namespace+name]++; asked[p.Namespace+name] > 2 { // two replicas are enough
			continue
		}
		for file, path := range map[string]string{"goroutines.txt": "goroutine?debug=2", "cpu.pb.gz": "profile?seconds=5", "heap.pb.gz": "heap"} {
			wg.Go(func() {
				data, err := get(ctx, "http://"+p.Address+"/debug/pprof/"+path)
				if err != nil {
					return // it serves none
				}
				c.mu.Lock()
				defer c.mu.Unlock()
				c.profiles["namespaces/"+p.Namespace+"/pods/"+p.Pod+"/"+p.Container+"/pprof/"+file] = data
			})
		}
	}
	wg.Wait()
}

// get reads what a URL answers.
func get(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", url, answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, 32<<20))
}
