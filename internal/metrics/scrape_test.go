package metrics

import (
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

const served = `# HELP go_goroutines Number of goroutines that currently exist.
# TYPE go_goroutines gauge
go_goroutines 12431
# TYPE process_open_fds gauge
process_open_fds 1.024e+03
process_start_time_seconds 1.76e+09
workqueue_depth{name="pods"} 120
workqueue_depth{controller="node \"a\"",name="nodes",} 3 1760000000123
rest_client_requests_total{code="429",host="10.43.0.1:443",method="GET"} 20
http_request_duration_seconds_bucket{le="+Inf"} 17
go_memstats_gc_cpu_fraction NaN
# EOF
`

func TestSamplesOfAProcessAreKeptByName(t *testing.T) {
	s, err := Read(strings.NewReader(served), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Samples != 8 || s.Families != 7 || s.Odd != 0 {
		t.Errorf("samples %d, families %d, odd %d", s.Samples, s.Families, s.Odd)
	}
	if v := s.Value("go_goroutines"); v == nil || v.Value != 12431 || v.Line != 3 {
		t.Errorf("goroutines %+v", v)
	}
	if v := s.Value("process_open_fds"); v == nil || v.Value != 1024 {
		t.Errorf("fds %+v", v)
	}
	queues := s.All("workqueue_depth")
	if len(queues) != 2 || queues[1].Label("name") != "nodes" || queues[1].Label("controller") != `node "a"` {
		t.Errorf("queues %+v", queues)
	}
	if s.Value("http_request_duration_seconds_bucket") != nil {
		t.Error("a name that nothing asks for was kept")
	}
	if v := s.Value("go_memstats_gc_cpu_fraction"); v == nil || !math.IsNaN(v.Value) {
		t.Errorf("NaN is a value: %+v", v)
	}
	if want := time.Unix(1760000000, 0).UTC(); !s.Started().Equal(want) {
		t.Errorf("started %s, want %s", s.Started(), want)
	}
	if want := time.UnixMilli(1760000000123).UTC(); !s.Time().Equal(want) {
		t.Errorf("time %s, want %s", s.Time(), want)
	}
}

func TestOpenMetricsWithExemplarsAndSeconds(t *testing.T) {
	s, _ := Read(strings.NewReader("# TYPE workqueue_adds counter\n"+
		"workqueue_adds_total{name=\"a\"} 17.0 1760000000.5 # {trace_id=\"x\"} 0.67\n# EOF\n"), 10, nil)
	v := s.Value("workqueue_adds_total")
	if v == nil || v.Value != 17 || v.Line != 11 || s.Time().Unix() != 1760000000 {
		t.Errorf("%+v at %s", v, s.Time())
	}
}

func TestWhatIsNoSampleIsCounted(t *testing.T) {
	for _, line := range []string{"go_goroutines", "go_goroutines x", "{a=\"b\"} 1", "go_goroutines{a=\"b} 1", "1x 2",
		"go_goroutines 1 2 3", "an error occurred: 5"} {
		s, err := Read(strings.NewReader(line+"\n"), 1, nil)
		if err != nil || s.Samples != 0 || s.Odd != 1 || !s.Empty() {
			t.Errorf("%q: %+v, %v", line, s, err)
		}
	}
}

func TestABrokenStreamKeepsWhatCameBefore(t *testing.T) {
	s, err := Read(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(served))), 1, nil)
	if err == nil || s == nil {
		t.Errorf("%+v, %v", s, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(served)
	f.Add("a{b=\"\\\"}\"} 1 # {} 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(strings.NewReader(text), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		lines := int64(strings.Count(text, "\n")) + 1
		if s.Samples+s.Odd > 2*lines || len(s.kept) > maxSamples {
			t.Fatalf("%d samples and %d odd lines of %d", s.Samples, s.Odd, lines)
		}
		for i := range s.kept {
			if v := &s.kept[i]; v.Line < 1 || v.Line > lines || len(v.Labels) > maxLabels {
				t.Fatalf("%+v of %d lines", v, lines)
			}
		}
	})
}
