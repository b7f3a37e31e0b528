//go:build fixed

package main

import "time"

// patience is how long a request waits for its country. No lookup takes as long.
const patience = 10 * time.Second
