package bank

import (
	"sync"
	"time"
)

type Account struct {
	mu      sync.Mutex
	balance int
}

func (a *Account) MoveTo(b *Account, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	time.Sleep(time.Millisecond)
	b.mu.Lock() // GUILTY
	defer b.mu.Unlock()
	a.balance -= n
	b.balance += n
}
