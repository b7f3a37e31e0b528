package main

import "testing"

func TestAssetsAreFresh(t *testing.T) {
	if err := run("../..", true); err != nil {
		t.Error(err)
	}
}
