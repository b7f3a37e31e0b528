// Package treasury books transfers, closes days and audits both: three parts, each with a lock of its own.
package treasury

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Accounts struct {
	mu     sync.Mutex
	ledger *Ledger
	sum    int
}

type Ledger struct {
	mu    sync.Mutex
	audit *Audit
	lines int
}

type Audit struct {
	mu       sync.Mutex
	accounts *Accounts
	checks   int
}

func (a *Accounts) Transfer() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sum++
	time.Sleep(50 * time.Millisecond)
	a.ledger.append()
}

func (a *Accounts) balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sum
}

func (l *Ledger) append() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines++
}

func (l *Ledger) CloseDay() {
	l.mu.Lock()
	defer l.mu.Unlock()
	time.Sleep(50 * time.Millisecond)
	l.audit.note()
}

func (a *Audit) note() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.checks++
}

func (a *Audit) Compare() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	time.Sleep(50 * time.Millisecond)
	return a.accounts.balance() - a.checks
}

func Main() {
	kit.Start()
	accounts, ledger, audit := &Accounts{}, &Ledger{}, &Audit{}
	accounts.ledger, ledger.audit, audit.accounts = ledger, audit, accounts
	time.Sleep(2 * time.Second)
	for range 5 {
		go accounts.Transfer()
		go ledger.CloseDay()
		go audit.Compare()
	}
	for range 10 {
		time.Sleep(100 * time.Millisecond)
		go accounts.Transfer()
	}
	kit.Wait()
}
