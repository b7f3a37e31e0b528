package redact

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

func TestAProfileOfTooManyLabelsIsRefused(t *testing.T) {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}}
	sample := &profile.Sample{Value: []int64{1}, Label: map[string][]string{"k": make([]string, 1000)}}
	for range 3 {
		p.Sample = append(p.Sample, sample)
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	if n := labelsOf(b.Bytes()); n != 3000 {
		t.Errorf("%d labels, there are 3,000", n)
	}
	many := bytes.Repeat([]byte{profileSample<<3 | 2, 4, sampleLabel<<3 | 2, 2, 8, 1}, maxProfileLabels+1)
	if _, err := NewText(Options{}).Profile(many); err == nil || !strings.Contains(err.Error(), "more than 300000 labels") {
		t.Errorf("error %v", err)
	}
	for end := range b.Len() { // cut anywhere, it is counted up to there
		labelsOf(b.Bytes()[:end])
	}
}
