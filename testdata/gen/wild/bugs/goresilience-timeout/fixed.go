//go:build fixed

package main

import "time"

// patience is how long a request may take.
const patience = 2000 * time.Millisecond
