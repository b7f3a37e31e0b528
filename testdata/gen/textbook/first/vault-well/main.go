// Command vault withdraws money; only the deferred call unlocks the vault.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type vault struct {
	mu    sync.Mutex
	cents int
}

func (v *vault) withdraw(cents int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cents < cents {
		return false
	}
	v.cents -= cents
	return true
}

func main() {
	kit.Start()
	v := &vault{cents: 1000}
	for {
		fmt.Println(v.withdraw(300))
		time.Sleep(300 * time.Millisecond)
	}
}
