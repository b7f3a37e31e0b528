// Command bank holds locks inside locks, over writes to a file, over a channel and over a WaitGroup, and always in one order: who
// waits is served within milliseconds. Main has nothing to do.
package main

import (
	"fmt"
	"os"
	"time"

	"example.com/well/bank/internal/vault"
	"example.com/well/dumper"
)

const accounts = 6

func main() {
	v, err := vault.Open("journal", accounts)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bank:", err)
		os.Exit(1)
	}
	for i := 0; i < 18; i++ {
		go transfer(v, i)
	}
	for i := 0; i < 6; i++ {
		go look(v)
	}
	go checkpoint(v)
	go enrol(v)
	dumper.Ready()
	select {}
}

func transfer(v *vault.Vault, clerk int) {
	for n := clerk; ; n++ {
		if err := v.Transfer(n%accounts, (n*5+clerk)%accounts, 1); err != nil {
			fmt.Fprintln(os.Stderr, "bank:", err)
			return
		}
		time.Sleep(time.Duration(clerk%4) * time.Millisecond)
	}
}

func look(v *vault.Vault) {
	for {
		v.Total()
		time.Sleep(2 * time.Millisecond)
	}
}

func checkpoint(v *vault.Vault) {
	for {
		time.Sleep(30 * time.Millisecond)
		v.Checkpoint()
	}
}

func enrol(v *vault.Vault) {
	for {
		time.Sleep(25 * time.Millisecond)
		v.Enrol()
	}
}
