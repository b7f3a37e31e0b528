//go:build !fixed

package main

import "time"

// patience is how long a request waits for its country.
const patience = time.Millisecond
