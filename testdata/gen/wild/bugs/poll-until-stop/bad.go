//go:build !fixed

package main

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// await asks until it is so.
func await(isSo wait.ConditionFunc, stop <-chan struct{}) error {
	return wait.PollUntil(100*time.Millisecond, isSo, stop)
}
