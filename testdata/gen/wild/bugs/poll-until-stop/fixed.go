//go:build fixed

package main

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// await asks until it is so, at most ten seconds.
func await(isSo wait.ConditionFunc, _ <-chan struct{}) error {
	return wait.Poll(100*time.Millisecond, 10*time.Second, isSo)
}
