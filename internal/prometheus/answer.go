package prometheus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/jsonspan"
	"github.com/gotriage/triage/triage/schema"
)

// labels are those by which the server sums up, in an answer. App and the labels behind it are what older
// configurations use, and what kube-state-metrics' own labels are called where a scrape has renamed them.
type labels struct {
	At        string `json:"at"` // which of the values of a query
	Cluster   string `json:"cluster"`
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Job       string `json:"job"`
	Instance  string `json:"instance"`
	App       string `json:"app"`

	OldNamespace      string `json:"kubernetes_namespace"`
	OldPod            string `json:"kubernetes_pod_name"`
	ExportedNamespace string `json:"exported_namespace"`
	ExportedPod       string `json:"exported_pod"`
	ExportedContainer string `json:"exported_container"`
}

const (
	byProcess = "cluster, namespace, pod, container, job, instance, app, kubernetes_namespace, kubernetes_pod_name"
	byState   = "cluster, namespace, pod, container, exported_namespace, exported_pod, exported_container"
)

// key identifies the scraped process: two targets of one container are one process.
func (l *labels) key() schema.SurveyName {
	k := schema.SurveyName{Cluster: l.Cluster, Namespace: cmp.Or(l.Namespace, l.OldNamespace),
		Pod: cmp.Or(l.Pod, l.OldPod), Container: l.Container, Job: l.Job}
	if k.Pod == "" {
		k.Instance = l.Instance
	}
	return k
}

// podOfState is the container that a series of kube-state-metrics is about.
func (l *labels) podOfState() schema.SurveyName {
	if l.ExportedPod != "" {
		return schema.SurveyName{Cluster: l.Cluster, Namespace: l.ExportedNamespace, Pod: l.ExportedPod,
			Container: l.ExportedContainer}
	}
	return schema.SurveyName{Cluster: l.Cluster, Namespace: l.Namespace, Pod: l.Pod, Container: l.Container}
}

func (l *labels) tooLong() bool {
	all := []string{l.Cluster, l.Namespace, l.Pod, l.Container, l.Job, l.Instance, l.App, l.OldNamespace, l.OldPod,
		l.ExportedNamespace, l.ExportedPod, l.ExportedContainer}
	return slices.ContainsFunc(all, func(s string) bool { return len(s) > maxLabel })
}

// A row is a series of an answer with its time and value.
type row struct {
	Metric labels
	Value  [2]json.RawMessage
}

// value is NaN for what is no number of something.
func (r *row) value() float64 {
	var text string
	if json.Unmarshal(r.Value[1], &text) != nil {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || v < 0 {
		return math.NaN()
	}
	return v
}

// stats are what a query cost the server (stats=all).
type stats struct {
	Timings struct {
		Total float64 `json:"evalTotalTime"`
	}
	Samples struct {
		Total int64 `json:"totalQueryableSamples"`
	}
}

var (
	errAnswer = errors.New("the answer is not in the format of the Prometheus API")
	// errEnough ends the reading of rows.
	errEnough = errors.New("enough rows")
)

// rows calls each with the elements of a list, so that a list of what are no rows takes no memory.
type rows struct {
	each func(row []byte) error
	read bool
}

// UnmarshalJSON reads the list.
func (r *rows) UnmarshalJSON(b []byte) (err error) {
	if r.read = b[0] == '['; r.read {
		jsonspan.EachElement(b, 0, func(at int) int {
			end := jsonspan.SkipValue(b, at)
			if err = r.each(b[at:end]); err != nil {
				return jsonspan.Cut
			}
			return end
		})
	}
	return err
}

// readRows calls each with the rows of an answer: {"data": {"result": [row, …], "stats": …}}, or activeTargets.
func readRows(b []byte, each func(row []byte) error) (st stats, err error) {
	var answer struct {
		Data struct {
			Result, ActiveTargets rows
			Stats                 json.RawMessage
		}
	}
	data := &answer.Data
	data.Result.each, data.ActiveTargets.each = each, each
	err = json.Unmarshal(b, &answer)
	_ = json.Unmarshal(data.Stats, &st) // a cost in another form is unknown
	switch {
	case errors.Is(err, errEnough):
		return st, nil
	case err != nil:
		return st, fmt.Errorf("%w: %w", errAnswer, err)
	case !data.Result.read && !data.ActiveTargets.read:
		return st, errAnswer
	}
	return st, nil
}

// A target is an active target. Discovery has the pod's annotations and the name of the port (docs of
// kubernetes_sd_config); those for profilers are what triage fetch takes a port from, too.
type target struct {
	Labels     labels
	ScrapeURL  string `json:"scrapeUrl"`
	LastError  string
	Health     string
	Discovered struct {
		Goroutine string `json:"__meta_kubernetes_pod_annotation_profiles_grafana_com_goroutine_port"`
		CPU       string `json:"__meta_kubernetes_pod_annotation_profiles_grafana_com_cpu_port"`
		Memory    string `json:"__meta_kubernetes_pod_annotation_profiles_grafana_com_memory_port"`
		Pyroscope string `json:"__meta_kubernetes_pod_annotation_pyroscope_io_port"`
		Name      string `json:"__meta_kubernetes_pod_container_port_name"`
		Number    string `json:"__meta_kubernetes_pod_container_port_number"`
	} `json:"discoveredLabels"`
}

// pprofPort is the port that the target's discovery names for profiles, 0 for none.
func (t *target) pprofPort() int {
	d := &t.Discovered
	named := ""
	if d.Name == "pprof" {
		named = d.Number
	}
	n, err := strconv.ParseUint(cmp.Or(named, d.Goroutine, d.CPU, d.Memory, d.Pyroscope), 10, 16)
	if err != nil {
		return 0
	}
	return int(n)
}

// secrets are the query of a scrape's URL, which may hold a token.
var secrets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\?[^"\s]+`) })

// targets asks where the processes are scraped, and why those that are down can't be.
func (a *asker) targets(ctx context.Context) error {
	answer, err := a.Get(ctx, "api/v1/targets", url.Values{"state": {"active"}}, maxTargets)
	if err != nil {
		return err
	}
	a.p.Cost.Bytes += int64(len(answer))
	n := 0
	_, err = readRows(answer, func(text []byte) error {
		var t target
		if err := json.Unmarshal(text, &t); err != nil {
			return err
		}
		if n++; n > maxRows {
			a.note("there are more than %d targets, and the rest was not read", maxRows)
			return errEnough
		}
		p := a.byKey[t.Labels.key()]
		if p == nil || len(t.ScrapeURL) > maxLabel {
			return nil
		}
		p.PprofPort = cmp.Or(p.PprofPort, t.pprofPort())
		if p.ScrapeURL == "" || t.Health == "up" {
			p.ScrapeURL = t.ScrapeURL
		}
		if p.Down {
			short := strings.ToValidUTF8(t.LastError[:min(len(t.LastError), maxError)], "")
			p.LastError = secrets().ReplaceAllString(short, "?…")
		}
		return nil
	})
	return err
}
