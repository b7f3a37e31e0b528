// Package collector has the test of the OpenTelemetry Collector's configuration in deploy/fleet.
package collector

import (
	"os"
	"testing"

	"github.com/open-telemetry/opentelemetry-collector-contrib/processor/transformprocessor"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/processor/processortest"
	"gopkg.in/yaml.v3"
)

func TestTheCollectorMarksLinesOfDumpsAlone(t *testing.T) {
	data, err := os.ReadFile("../../../deploy/fleet/otel-collector.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Processors map[string]map[string]any }
	if err := yaml.Unmarshal(data, &file); err != nil || len(file.Processors) != 1 {
		t.Fatalf("%v, %v", file, err)
	}
	factory := transformprocessor.NewFactory()
	config := factory.CreateDefaultConfig()
	for _, fields := range file.Processors {
		if err := confmap.NewFromStringMap(fields).Unmarshal(config); err != nil {
			t.Fatal(err)
		}
	}
	if err := config.(interface{ Validate() error }).Validate(); err != nil {
		t.Fatal(err)
	}
	sink := &consumertest.LogsSink{}
	processor, err := factory.CreateLogs(t.Context(), processortest.NewNopSettings(factory.Type()), config, sink)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{
		"goroutine 1 [running]:":                             true,
		"goroutine 7 gp=0xc000 m=nil [select]:":              true,
		"panic: assignment to entry in nil map":              true,
		"fatal error: all goroutines are asleep - deadlock!": true,
		"SIGABRT: abort":                                     true,
		"goroutine profile: total 4":                         true,
		"WARNING: DATA RACE":                                 true,
		"	/src/main.go:21 +0x1d":                             false,
		"listening at :8080":                                 false,
		"error: the signal is weak":                          false,
		"3 goroutines are left":                              false,
	}
	logs := plog.NewLogs()
	records := logs.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords()
	for line := range want {
		records.AppendEmpty().Body().SetStr(line)
	}
	records.AppendEmpty().Body().SetEmptyMap().PutStr("panic: ", "a structured body is left alone")
	if err := processor.ConsumeLogs(t.Context(), logs); err != nil {
		t.Fatal(err)
	}
	got := sink.AllLogs()[0].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords()
	for _, r := range got.All() {
		mark, marked := r.Attributes().Get("has_go_dump")
		if marked != want[r.Body().AsString()] || marked && mark.Str() != "true" {
			t.Errorf("%q is marked: %v, want %v", r.Body().AsString(), marked, !marked)
		}
	}
	if got.Len() != len(want)+1 {
		t.Errorf("%d records, want %d", got.Len(), len(want)+1)
	}
}
