//go:build !fixed

package main

import (
	"fmt"
	"net/http"
)

// giveUp says what went wrong after the last try.
func giveUp(resp *http.Response, err error, tries int) (*http.Response, error) {
	return nil, fmt.Errorf("%d tries: %s, %v", tries, resp.Status, err)
}
