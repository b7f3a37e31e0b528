//go:build fixed

package main

import "time"

const readTimeout = 2 * time.Second
