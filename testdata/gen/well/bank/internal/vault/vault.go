// Package vault keeps accounts. Locks are taken in this order: the vault's for reading or writing, accounts' by number, the
// journal's.
package vault

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"
)

// A Vault is a number of accounts and the journal of what was done.
type Vault struct {
	mu       sync.RWMutex
	accounts []*account
	journal  *journal
}

type account struct {
	mu      sync.Mutex
	number  int
	balance int
}

// Open returns a Vault of n accounts whose journal is the named file.
func Open(name string, n int) (*Vault, error) {
	j, err := openJournal(name)
	if err != nil {
		return nil, err
	}
	v := &Vault{journal: j}
	for i := 0; i < n; i++ {
		v.accounts = append(v.accounts, &account{number: i, balance: 1000})
	}
	return v, nil
}

// Transfer moves an amount. The account with the smaller number is locked first, whichever way the money goes.
func (v *Vault) Transfer(from, to, amount int) error {
	if from == to {
		return nil
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	first, second := v.accounts[from], v.accounts[to]
	if first.number > second.number {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	verify(first)
	second.mu.Lock()
	defer second.mu.Unlock()
	v.accounts[from].balance -= amount
	v.accounts[to].balance += amount
	return v.journal.append(fmt.Sprintf("%d from %d to %d\n", amount, from, to))
}

// verify takes a moment, with the account locked.
func verify(a *account) {
	sum := sha256.Sum256([]byte(fmt.Sprint(a.number, a.balance)))
	for i := 0; i < 200; i++ {
		sum = sha256.Sum256(sum[:])
	}
}

// Total adds up all accounts, one at a time.
func (v *Vault) Total() int {
	v.mu.RLock()
	defer v.mu.RUnlock()
	total := 0
	for _, a := range v.accounts {
		total += a.read()
	}
	return total
}

func (a *account) read() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

// Checkpoint hashes all accounts side by side while nobody may change any: the goroutines that it waits for need no lock.
func (v *Vault) Checkpoint() {
	v.mu.Lock()
	defer v.mu.Unlock()
	sums := make(chan [32]byte)
	var parts sync.WaitGroup
	for _, a := range v.accounts {
		parts.Add(1)
		go func(number, balance int) {
			defer parts.Done()
			time.Sleep(4 * time.Millisecond)
			sums <- sha256.Sum256([]byte(fmt.Sprint(number, balance)))
		}(a.number, a.balance)
	}
	go func() {
		for range sums {
		}
	}()
	parts.Wait()
	close(sums)
}

// Enrol tells the auditor about the vault's state, with the lock held until the auditor has taken it, who needs none.
func (v *Vault) Enrol() {
	states := make(chan int)
	audited := make(chan struct{})
	go audit(states, audited)
	v.mu.Lock()
	for _, a := range v.accounts {
		states <- a.balance
	}
	v.mu.Unlock()
	close(states)
	<-audited
}

func audit(states <-chan int, audited chan<- struct{}) {
	defer close(audited)
	for range states {
		time.Sleep(time.Millisecond)
	}
}
