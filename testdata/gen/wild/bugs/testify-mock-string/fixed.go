//go:build fixed

package main

// String is not mocked: the mock itself prints its arguments.
func (k *K) String() string {
	return "backend"
}
