// Package accounts holds accounts and moves money between them.
package accounts

import (
	"errors"
	"sync"
	"time"
)

var errPoor = errors.New("not enough money")

// An Account holds the cents of a customer.
type Account struct {
	number int
	mu     sync.Mutex
	cents  int
}

// A Bank has accounts by name.
type Bank struct{ accounts map[string]*Account }

// Open opens a bank with an account for each customer.
func Open(customers ...string) *Bank {
	b := &Bank{accounts: map[string]*Account{}}
	for i, name := range customers {
		b.accounts[name] = &Account{number: i, cents: 100_000_000}
	}
	return b
}

// Settle pays cents from a customer to another.
func (b *Bank) Settle(from, to string, cents int) error {
	return b.accounts[from].Transfer(b.accounts[to], cents)
}

// Transfer moves cents to another account.
func (a *Account) Transfer(to *Account, cents int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cents < cents {
		return errPoor
	}
	time.Sleep(10 * time.Millisecond)
	a.cents -= cents
	to.deposit(cents)
	return nil
}

func (a *Account) deposit(cents int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cents += cents
}
