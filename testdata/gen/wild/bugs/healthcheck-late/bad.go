//go:build !fixed

package main

import "time"

// patience is how long a check may take.
const patience = 50 * time.Millisecond
