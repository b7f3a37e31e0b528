// Package books reads accounts.
package books

import "fmt"

// An Account earns interest.
type Account struct {
	Name  string
	Cents int
	Days  int
}

// Load makes up n accounts.
func Load(seed, n int) []Account {
	accounts := make([]Account, n)
	for i := range accounts {
		x := (seed*7919 + i*104729) % 65537
		accounts[i] = Account{Name: fmt.Sprintf("A-%04d", i), Cents: x * 13, Days: x % 400}
	}
	return accounts
}
