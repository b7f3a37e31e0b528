//go:build fixed

package main

import (
	"time"

	"github.com/soheilhy/cmux"
)

// setUp limits how long a client may say nothing.
func setUp(mux cmux.CMux) { mux.SetReadTimeout(time.Second) }
