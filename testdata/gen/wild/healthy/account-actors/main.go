// Command account-actors keeps one goroutine per account, which owns the account's balance. Accounts come as customers
// register, and stay; most of them are idle most of the time.
package main

import (
	"context"
	"log"
	"math/rand"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"wild/kit"
)

type message struct {
	amount int
	answer chan int
}

type bank struct {
	mu       sync.RWMutex
	accounts []chan message
}

// register makes an account; the goroutine is the account.
func (b *bank) register() {
	inbox := make(chan message)
	go func() {
		balance := 0
		for m := range inbox {
			balance += m.amount
			if m.answer != nil {
				m.answer <- balance
			}
		}
	}()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.accounts = append(b.accounts, inbox)
}

// deposit serves one request: some account, not all of them.
func (b *bank) deposit() {
	b.mu.RLock()
	account := b.accounts[rand.Intn(len(b.accounts))]
	b.mu.RUnlock()
	answer := make(chan int, 1)
	account <- message{rand.Intn(100), answer}
	if balance := <-answer; balance > 5_000 {
		log.Printf("rich: %d", balance)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	b := &bank{}
	b.register()
	for i := 0; ctx.Err() == nil; i++ {
		if i < 140 {
			go b.register()
		}
		time.Sleep(2 * time.Second)
		go b.deposit()
	}
}
