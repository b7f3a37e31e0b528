// Command vault withdraws money; an overdraft unlocks the vault, and so does the deferred call.
package main

import (
	"fmt"
	"sync"
	"time"
)

type vault struct {
	mu    sync.Mutex
	cents int
}

func (v *vault) withdraw(cents int) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cents < cents {
		v.mu.Unlock()
		return false
	}
	v.cents -= cents
	return true
}

func main() {
	v := &vault{cents: 1000}
	for {
		fmt.Println(v.withdraw(300))
		time.Sleep(300 * time.Millisecond)
	}
}
