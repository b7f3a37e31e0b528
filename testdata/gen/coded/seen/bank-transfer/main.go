// Bank-transfer moves money between a branch and its vault.
package main

import (
	"sync"
	"time"

	"coded/kit"
)

type branch struct {
	till, vault sync.Mutex
	cash, gold  int
}

// deposit brings cash to the vault.
func (b *branch) deposit() {
	b.till.Lock()
	defer b.till.Unlock()
	time.Sleep(time.Millisecond)
	b.vault.Lock()
	defer b.vault.Unlock()
	b.cash, b.gold = b.cash-1, b.gold+1
}

// withdraw brings cash from the vault.
func (b *branch) withdraw() {
	b.vault.Lock()
	defer b.vault.Unlock()
	time.Sleep(time.Millisecond)
	b.till.Lock()
	defer b.till.Unlock()
	b.cash, b.gold = b.cash+1, b.gold-1
}

func main() {
	kit.Serve()
	b := &branch{}
	go func() {
		for {
			b.deposit()
		}
	}()
	go func() {
		for {
			b.withdraw()
		}
	}()
	kit.Wait()
}
