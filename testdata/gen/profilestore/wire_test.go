package main

import (
	"bytes"
	"flag"
	"os"
	"testing"

	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"google.golang.org/protobuf/proto"
)

var update = flag.Bool("update", false, "write the request anew")

// The request that triage's own tests compare theirs with is this message of Pyroscope's API.
func TestTheRequestInTestdataIsOfThisAPI(t *testing.T) {
	const file = "../../../internal/fetch/testdata/select-merge-profile.pb"
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(&querierv1.SelectMergeProfileRequest{
		ProfileTypeID: "process_cpu:cpu:nanoseconds:cpu:nanoseconds", LabelSelector: `{service_name="shop", pod=~"web-.*"}`,
		Start: 1_764_417_600_000, End: 1_764_421_200_000,
	})
	if err == nil && *update {
		err = os.WriteFile(file, want, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
}
