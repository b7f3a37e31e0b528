package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// prometheus scrapes itself and a backend in ten jobs, and answers range queries beside that.
func prometheus(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	series := l.backend(ctx, func(w http.ResponseWriter, r *http.Request) {
		for i := range 500 {
			fmt.Fprintf(w, "lab_value{shard=\"%d\",part=\"%d\"} %d\n", i%10, i, time.Now().UnixMilli()%int64(1000+i))
		}
	})
	var config strings.Builder
	config.WriteString("global: {scrape_interval: 1s, evaluation_interval: 2s}\nrule_files: [rules.yml]\nscrape_configs:\n")
	for i := range 10 {
		fmt.Fprintf(&config, "  - {job_name: job%d, static_configs: [{targets: ['%s', '%s', '127.0.0.1:9']}]}\n", i, l.pprof, series)
	}
	l.file("rules.yml", "groups: [{name: g, rules: [{record: lab:sum, expr: 'sum by (shard) (lab_value)'}, {alert: Down, expr: 'up == 0', for: 10s}]}]\n")
	if err := l.serve("--config.file="+l.file("p.yml", config.String()), "--storage.tsdb.path="+l.dir+"/data", "--web.listen-address="+l.pprof); err != nil {
		return err
	}
	l.every(ctx, 4, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		now := time.Now().Unix()
		query := []string{"sum%20by%20(job)(rate(lab_value[30s]))", "histogram_quantile(0.9,rate(prometheus_http_request_duration_seconds_bucket[1m]))", "topk(5,lab_value)"}[i%3]
		send(ctx, keepAlive, "GET", fmt.Sprintf("http://%s/api/v1/query_range?query=%s&start=%d&end=%d&step=1", l.pprof, query, now-120, now), "")
	})
	return l.opens(ctx, l.pprof)
}

// nodeExporter is scraped twenty times a second.
func nodeExporter(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	if err := l.serve("--web.listen-address=" + l.pprof); err != nil {
		return err
	}
	l.every(ctx, 4, 200*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "GET", "http://"+l.pprof+"/metrics", "")
	})
	return l.opens(ctx, l.pprof)
}

// alertmanager is one of two that gossip, with a receiver that is slow.
func alertmanager(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	other, gossip, gossip2 := l.port(), l.port(), l.port()
	hook := l.backend(ctx, slow(3*time.Second, 16))
	config := l.file("a.yml", fmt.Sprintf("route: {receiver: hook, group_by: [name, shard], group_wait: 1s, group_interval: 2s, repeat_interval: 1m}\n"+
		"receivers: [{name: hook, webhook_configs: [{url: 'http://%s/', send_resolved: true}]}]\n", hook))
	// Debian's alertmanager reads its templates from where they are installed.
	if err := share(l.bin, "usr/share/prometheus"); err != nil {
		return err
	}
	args := func(web, mine, peer, dir string) []string {
		return []string{"--config.file=" + config, "--storage.path=" + filepath.Join(l.dir, dir), "--web.listen-address=" + web,
			"--cluster.listen-address=" + mine, "--cluster.peer=" + peer}
	}
	if err := l.serve(args(l.pprof, gossip, gossip2, "one")...); err != nil {
		return err
	}
	if _, err := l.start(l.bin, args(other, gossip2, gossip, "two")...); err != nil {
		return err
	}
	l.every(ctx, 4, 250*time.Millisecond, func(ctx context.Context, worker, i int) {
		var alerts []string
		for k := range 10 {
			alerts = append(alerts, fmt.Sprintf(`{"labels":{"name":"n%d","shard":"%d","k":"%d"},"endsAt":%q}`, (worker*7+i)%20, i%5, k, time.Now().Add(20*time.Second).Format(time.RFC3339)))
		}
		for _, to := range []string{l.pprof, other} {
			send(ctx, keepAlive, "POST", "http://"+to+"/api/v2/alerts", "["+strings.Join(alerts, ",")+"]", "Content-Type: application/json")
		}
		if i%20 == 0 {
			send(ctx, keepAlive, "POST", "http://"+l.pprof+"/api/v2/silences", fmt.Sprintf(`{"matchers":[{"name":"name","value":"n%d","isRegex":false}],"startsAt":%q,"endsAt":%q,"createdBy":"lab","comment":"lab"}`,
				i%20, time.Now().Format(time.RFC3339), time.Now().Add(30*time.Second).Format(time.RFC3339)), "Content-Type: application/json")
		}
		send(ctx, keepAlive, "GET", "http://"+l.pprof+"/api/v2/alerts/groups", "")
	})
	return l.opens(ctx, l.pprof)
}

// pushgateway gets a hundred groups again and again, and is scraped.
func pushgateway(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	if err := l.serve("--web.listen-address=" + l.pprof); err != nil {
		return err
	}
	l.every(ctx, 10, 50*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "PUT", fmt.Sprintf("http://%s/metrics/job/batch/instance/%d", l.pprof, worker*10+i%10), fmt.Sprintf("done %d\nrows{kind=\"a\"} %d\n", i, i*7))
	})
	l.every(ctx, 2, 500*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "GET", "http://"+l.pprof+"/metrics", "")
	})
	return l.opens(ctx, l.pprof)
}

// blackbox probes local ports, of which half are closed and one never answers.
func blackbox(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	config := l.file("b.yml", "modules:\n  web: {prober: http, timeout: 5s}\n  tcp: {prober: tcp, timeout: 5s}\n")
	if err := l.serve("--config.file="+config, "--web.listen-address="+l.pprof); err != nil {
		return err
	}
	targets := []string{l.backend(ctx, slow(20*time.Millisecond, 4096)), l.backend(ctx, slow(time.Minute, 16)), l.port(), l.port()}
	l.every(ctx, 8, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "GET", fmt.Sprintf("http://%s/probe?module=%s&target=%s", l.pprof, []string{"web", "tcp"}[i/4%2], targets[i%4]), "")
	})
	return l.opens(ctx, l.pprof)
}

// mtail reads ten files with a thousand lines a second, which are rotated.
func mtail(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	l.file("progs/lab.mtail", "counter requests by code\ncounter bytes\n/^(?P<ip>\\S+) \\S+ \"(?P<verb>GET|POST) (?P<path>\\S+)\" (?P<code>\\d+) (?P<size>\\d+)$/ {\n  requests[$code]++\n  bytes += $size\n}\n")
	for i := range 10 {
		l.file(fmt.Sprintf("logs/%d.log", i), "")
	}
	host, port, _ := net.SplitHostPort(l.pprof)
	if err := l.serve("--progs", l.dir+"/progs", "--logs", l.dir+"/logs/*.log", "--address", host, "--port", port, "--logtostderr"); err != nil {
		return err
	}
	l.every(ctx, 10, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		path := fmt.Sprintf("%s/logs/%d.log", l.dir, worker)
		if i%150 == 149 {
			os.Rename(path, path+".1")
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return
		}
		defer f.Close()
		for k := range 10 {
			fmt.Fprintf(f, "10.0.%d.%d - \"GET /item/%d\" %d %d\n", worker, k, i, []int{200, 404, 500}[k%3], i*k)
		}
	})
	l.every(ctx, 1, time.Second, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "GET", "http://"+l.pprof+"/metrics", "")
	})
	return l.opens(ctx, l.pprof)
}

// victoria is written to and queried.
func victoria(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	if err := l.serve("-storageDataPath="+l.dir+"/data", "-httpListenAddr="+l.pprof); err != nil {
		return err
	}
	l.every(ctx, 4, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "POST", "http://"+l.pprof+"/api/v1/import/prometheus", lines(worker, i, 200, "cpu{host=\"h%d\",core=\"%d\"} %d\n"))
	})
	l.every(ctx, 3, 150*time.Millisecond, func(ctx context.Context, worker, i int) {
		now := time.Now().Unix()
		send(ctx, keepAlive, "GET", fmt.Sprintf("http://%s/api/v1/query_range?query=sum%%20by%%20(host)(rate(cpu[10s]))&start=%d&end=%d&step=1", l.pprof, now-90, now), "")
	})
	return l.opens(ctx, l.pprof)
}

// lines are n lines of a batch of samples.
func lines(worker, i, n int, format string) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, format, k%20, worker*100+k/20, i*k%977)
	}
	return b.String()
}

// influx gets batches of line protocol and group-by queries.
func influx(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	config := l.file("i.conf", fmt.Sprintf("reporting-disabled = true\nbind-address = %q\n[meta]\ndir = %q\n[data]\ndir = %q\nwal-dir = %q\n[http]\nbind-address = %q\nlog-enabled = false\npprof-enabled = true\n",
		l.port(), l.dir+"/meta", l.dir+"/data", l.dir+"/wal", l.pprof))
	if err := l.serve("-config", config); err != nil {
		return err
	}
	if err := l.opens(ctx, l.pprof); err != nil {
		return err
	}
	send(ctx, keepAlive, "POST", "http://"+l.pprof+"/query?q=CREATE%20DATABASE%20lab", "")
	l.every(ctx, 4, 100*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "POST", "http://"+l.pprof+"/write?db=lab", lines(worker, i, 200, "cpu,host=h%d,core=%d value=%d\n"))
	})
	l.every(ctx, 3, 200*time.Millisecond, func(ctx context.Context, worker, i int) {
		send(ctx, keepAlive, "GET", "http://"+l.pprof+"/query?db=lab&q=SELECT%20mean(value)%20FROM%20cpu%20WHERE%20time%20%3E%20now()%20-%202m%20GROUP%20BY%20host,time(1s)", "")
	})
	return nil
}
