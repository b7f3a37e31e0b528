//go:build !fixed

package main

func (k *K) String() string {
	return k.Called().String(0)
}
