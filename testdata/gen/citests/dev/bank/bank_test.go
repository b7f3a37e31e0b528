package bank

import (
	"sync"
	"testing"
)

func TestMoveBothWays(t *testing.T) {
	a, b := &Account{balance: 1}, &Account{balance: 1}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); a.MoveTo(b, 1) }()
	go func() { defer wg.Done(); b.MoveTo(a, 1) }()
	wg.Wait()
}
