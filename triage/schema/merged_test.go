package schema

import (
	"encoding/json"
	"testing"
)

func TestCountsThatNoFleetHasAreRefused(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true,
		`{"merged":{"reports":10000,"instances":1000000,"blocked":[{"goroutines":90000000000}],"shards":[{"index":1,"of":2}]}}`: true,
		`{"merged":{"reports":-1}}`:                                             false,
		`{"merged":{"instances":9223372036854775807}}`:                          false,
		`{"merged":{"traits":[{"instances":-1}]}}`:                              false,
		`{"merged":{"blocked":[{"most":-1}]}}`:                                  false,
		`{"merged":{"shards":[{"index":3,"of":2}]}}`:                            false,
		`{"merged":{"shards":[{"index":1,"of":2147483647}]}}`:                   false,
		`{"merged":{"shards":[{"index":0,"of":2}]}}`:                            false,
		`{"findings":[{"spread":{"instances":9223372036854775807}}]}`:           false,
		`{"findings":[{"spread":{"instances":1,"traits":[{"instances":-1}]}}]}`: false,
		`{"findings":[{"pods_total":-1}]}`:                                      false,
		`{"leads":[{"instances":-1}]}`:                                          false,
		`{"dumps":[{"buckets":[{"count":9223372036854775807}]}]}`:               false,
		`{"inputs_cut":-1}`:                                                     false,
	} {
		var r Report
		if err := json.Unmarshal([]byte(text), &r); err != nil || r.Countable() != want {
			t.Errorf("%s: %v, want %v, %v", text, r.Countable(), want, err)
		}
	}
}
